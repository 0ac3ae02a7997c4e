/**
 * Commands of the model as JSON, and back: a counterexample that is kept has to say the same to any later version and on
 * any target. Titles are kept as words, since every website has its own languages.
 */
import type { WebsiteLanguages } from '../../../contracts/fields/multilanguage.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { CommandFormat } from '../../../harness/property/index.ts';
import { Replace, Upload, UploadBoth } from './batch-commands.ts';
import { ChangeMethod, DeleteMethod, MakeMethod, ReadMethod } from './method-commands.ts';
import {
  AddPoint,
  ChangePoint,
  type Command,
  DeletePoint,
  ListPoints,
  OnExistingPoint,
  ReadPoint,
} from './point-commands.ts';
import type { SlotName } from './state.ts';
import { type CallTarget, inItsLanguage, type Points } from './values.ts';

type Json = Record<string, unknown>;

/** A text in one language as its words. */
function plain(fields: object): Json {
  const { title, ...rest } = fields as Json;
  if (title === undefined) return rest;
  return { title: isJsonObject(title) ? Object.values(title)[0] : title, ...rest };
}

const listed = (points: Points): Json[] => [...points].map(([id, fields]) => ({ id, ...plain(fields) }));

function written(command: Command): Json {
  if (command instanceof OnExistingPoint) {
    const { id: _, ...of } = written(command.make('…'));
    return { ...of, nth: command.nth, slots: command.aim.slots, by: command.aim.by };
  }
  if (command instanceof AddPoint) return { do: 'add', ...command.aim, id: command.id, fields: plain(command.fields) };
  if (command instanceof ChangePoint)
    return { do: 'change', ...command.aim, id: command.id, fields: plain(command.fields) };
  if (command instanceof DeletePoint) return { do: 'delete', ...command.aim, id: command.id };
  if (command instanceof ListPoints) return { do: 'list', ...command.aim, ...some('pageSize', command.pageSize) };
  if (command instanceof ReadPoint) return { do: 'read', ...command.aim, id: command.id };
  if (command instanceof Replace)
    return { do: 'replace', ...command.aim, points: listed(command.points), ...some('country', command.country) };
  if (command instanceof Upload) return writtenUpload(command);
  if (command instanceof UploadBoth)
    return { do: 'upload-both', uploads: command.uploads.map(({ portions }) => portions.map(listed)) };
  if (command instanceof ChangeMethod) return { do: 'change-method', ...command.aim, fields: plain(command.changes) };
  if (command instanceof ReadMethod) return { do: 'read-method', ...command.aim };
  if (command instanceof DeleteMethod) return { do: 'delete-method', ...command.aim };
  if (command instanceof MakeMethod) return { do: 'make-method', slots: [command.name] };
  throw new TypeError(`The command ${command} has no form in JSON.`);
}

function writtenUpload({ aim, portions, country, abandoned, comparesState }: Upload): Json {
  return {
    do: 'upload',
    ...aim,
    portions: portions.map(listed),
    ...some('country', country),
    ...some('abandoned', abandoned && listed(abandoned)),
    comparesState,
  };
}

const some = (name: string, value: unknown): Json => (value === undefined ? {} : { [name]: value });

/** Reads what the schema of vectors has found to be a command; throws on one that it does not know. */
function read(command: Json, site: WebsiteLanguages): Command {
  const aim: CallTarget = { by: command.by === 'other' ? 'other' : 'own', slots: command.slots as SlotName[] };
  const fieldsOf = ({ title, ...rest }: Json) =>
    title === undefined ? rest : { title: inItsLanguage(site, String(title)), ...rest };
  const pointsOf = (points: unknown): Points =>
    new Map((points as Json[]).map(({ id, ...fields }) => [String(id), fieldsOf(fields)]));
  const id = String(command.id);
  const fields = fieldsOf((command.fields ?? {}) as Json);
  const country = command.country as string | undefined;
  const of = (make: (id: string) => Command): Command =>
    command.nth === undefined ? make(id) : new OnExistingPoint(aim, Number(command.nth), make);
  switch (command.do) {
    case 'add':
      return new AddPoint(aim, id, fields);
    case 'change':
      return of((one) => new ChangePoint(aim, one, fields));
    case 'delete':
      return of((one) => new DeletePoint(aim, one));
    case 'list':
      return new ListPoints(aim, command.pageSize as number | undefined);
    case 'read':
      return new ReadPoint(aim, id);
    case 'replace':
      return new Replace(aim, pointsOf(command.points), country);
    case 'upload':
      return new Upload(aim, (command.portions as unknown[]).map(pointsOf), {
        country,
        abandoned: command.abandoned === undefined ? undefined : pointsOf(command.abandoned),
        comparesState: command.looks === true,
      });
    case 'upload-both': {
      const [one, other] = (command.uploads as unknown[][]).map((portions) => portions.map(pointsOf));
      return new UploadBoth(one!, other!);
    }
    case 'change-method':
      return new ChangeMethod(aim, fields);
    case 'read-method':
      return new ReadMethod(aim);
    case 'delete-method':
      return new DeleteMethod(aim);
    case 'make-method':
      return new MakeMethod(aim.slots[0]!);
    default:
      throw new TypeError(`there is no command "${String(command.do)}"`);
  }
}

const needsTwoStores = ({ by, slots }: Json): boolean =>
  by === 'other' || (Array.isArray(slots) && slots.includes('X'));

/** The form of the model's commands; those of a second store are for targets that have one. */
export const commandFormat = (site: WebsiteLanguages, twoStores: boolean): CommandFormat<Command> => ({
  write: written,
  read: (json) => {
    const command = json as Json;
    return needsTwoStores(command) && !twoStores ? undefined : read(command, site);
  },
});
