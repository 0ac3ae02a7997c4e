/**
 * What no request can carry: an id that software on the way would read as another address, half a character, an address without
 * end. Requests of our own making never hold such a thing, so it came from the target.
 */
export class Unsendable extends Error {
  override readonly name = 'Unsendable';
}
