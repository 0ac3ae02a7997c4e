import fc from 'fast-check';

/** An arbitrary that is made when its first value is drawn, and then generates and shrinks as that one does. */
export class LateArbitrary<T> extends fc.Arbitrary<T> {
  readonly #make: () => fc.Arbitrary<T>;
  #made: fc.Arbitrary<T> | undefined;

  constructor(make: () => fc.Arbitrary<T>) {
    super();
    this.#make = make;
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    return this.#arbitrary.generate(random, bias);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#arbitrary.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.#arbitrary.shrink(value, context);
  }

  get #arbitrary(): fc.Arbitrary<T> {
    this.#made ??= this.#make();
    return this.#made;
  }
}
