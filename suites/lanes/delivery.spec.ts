import { runLane } from '../../harness/runner/lane.ts';
import { SUITES } from '../index.ts';

runLane(SUITES, 'delivery');
