// Loaded into each process of the test runner: notes at its end what it and all that it started used of the processor.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const folder = process.env.PROOFMARK_TEST_CPU;
// Processes that the tests start are counted by their parents.
delete process.env.PROOFMARK_TEST_CPU;

/** Seconds of ended children, where the system reports them: fields 16 and 17 of /proc/self/stat, in hundredths. */
function ofChildren() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return 0;
  }
}

if (folder !== undefined) {
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    const seconds = (user + system) / 1_000_000 + ofChildren();
    const file = process.argv[1] ?? '';
    writeFileSync(join(folder, `${process.pid}-${basename(file)}.json`), JSON.stringify({ file, seconds }));
  });
}
