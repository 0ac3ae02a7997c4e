/** The style sheet of the report. */
import { COLOURS } from './colours.ts';
import { LAYOUT } from './layout.ts';
import { PRINT } from './print.ts';

export const STYLE = `${COLOURS}${LAYOUT}${PRINT}`;
