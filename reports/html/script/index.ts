/** The report's only script: finding, unpacking, copying, opening what a link points to. The findings are there without it. */
import { FIND } from './find.ts';
import { UNPACK } from './unpack.ts';
import { WALK } from './walk.ts';

export const SCRIPT = `'use strict';\n${UNPACK}${FIND}${WALK}`;
