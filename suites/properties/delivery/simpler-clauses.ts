/** What a command may be replaced by while a counterexample is made smaller: one handle for several, one call for many. */
import type fc from 'fast-check';
import { Replace, Upload, UploadBoth } from './batch-commands.ts';
import { ChangeMethod } from './method-commands.ts';
import { AddPoint, ChangePoint, type Command, DeletePoint, ListPoints, OnExistingPoint } from './point-commands.ts';
import type { Model } from './state.ts';
import type { SystemUnderTest } from './system-under-test.ts';
import { type CallTarget, IDS, type Points } from './values.ts';

/** The same call for fewer methods. */
const fewer = ({ by, slots }: CallTarget): CallTarget[] =>
  slots.length < 2 ? [] : slots.map((_, at) => ({ by, slots: slots.toSpliced(at, 1) }));

/** The fields by themselves. */
const each = <T extends object>(fields: T): T[] => {
  const entries = Object.entries(fields);
  return entries.length < 2 ? [] : entries.map(([name, value]) => ({ [name]: value }) as T);
};

/** The list without one of its points. */
const shorter = (points: Points): Points[] =>
  [...points.keys()].map((id) => new Map([...points].filter(([other]) => other !== id)));

/** Simpler commands, the simplest first. */
export function simplerCommands(command: fc.AsyncCommand<Model, SystemUnderTest>): readonly Command[] {
  if (command instanceof OnExistingPoint) return IDS.map((id) => command.make(id));
  if (command instanceof AddPoint)
    return fewer(command.aim).map((aim) => new AddPoint(aim, command.id, command.fields));
  if (command instanceof DeletePoint) return fewer(command.aim).map((aim) => new DeletePoint(aim, command.id));
  if (command instanceof ChangePoint) {
    const { aim, id, fields } = command;
    return [
      ...fewer(aim).map((to) => new ChangePoint(to, id, fields)),
      ...each(fields).map((one) => new ChangePoint(aim, id, one)),
    ];
  }
  if (command instanceof ChangeMethod) return each(command.changes).map((one) => new ChangeMethod(command.aim, one));
  if (command instanceof ListPoints)
    return command.pageSize === undefined ? [] : [new ListPoints(command.aim, undefined)];
  if (command instanceof Replace) return simplerReplaces(command);
  if (command instanceof Upload) return simplerUploads(command);
  return command instanceof UploadBoth ? simplerBoth(command) : [];
}

/** One list for both methods, or one of the two uploads. */
function simplerBoth({ uploads }: UploadBoth): Command[] {
  const all: Points = new Map(uploads.flatMap(({ portions }) => portions).flatMap((points) => [...points]));
  return [...uploads, new Replace({ by: 'own', slots: ['A', 'B'] }, all, undefined)];
}

function simplerReplaces({ aim, points, country }: Replace): Command[] {
  const [only, ...others] = points;
  return [
    ...(only !== undefined && others.length === 0 ? [new AddPoint(aim, ...only)] : []),
    ...fewer(aim).map((to) => new Replace(to, points, country)),
    ...(country === undefined ? [] : [new Replace(aim, points, undefined)]),
    ...shorter(points).map((some) => new Replace(aim, some, country)),
  ];
}

function simplerUploads({ aim, portions, country, abandoned, comparesState }: Upload): Command[] {
  const all: Points = new Map(portions.flatMap((points) => [...points]));
  const rest = { country, abandoned, comparesState };
  return [
    new Replace(aim, all, country),
    ...fewer(aim).map((to) => new Upload(to, portions, rest)),
    ...(abandoned === undefined ? [] : [new Upload(aim, portions, { ...rest, abandoned: undefined })]),
    ...(country === undefined ? [] : [new Upload(aim, portions, { ...rest, country: undefined })]),
    ...(comparesState ? [new Upload(aim, portions, { ...rest, comparesState: false })] : []),
    ...(portions.length > 2
      ? [new Upload(aim, [portions[0]!, new Map(portions.slice(1).flatMap((one) => [...one]))], rest)]
      : []),
    ...(abandoned === undefined || abandoned.size < 2
      ? []
      : shorter(abandoned).map((some) => new Upload(aim, portions, { ...rest, abandoned: some }))),
  ];
}
