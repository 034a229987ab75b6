/**
 * The test command. It builds the executable once, and runs the test files with the slowest first. At the end it lists
 * the skipped tests and how to run them.
 *
 *   npm test                           every test
 *   npm run test:quick                 the files that start no browser, chain or process and take at most 0.7 s
 *   npm test -- test/gates             the files below a folder
 *   npm test -- --randomize --seed=7   further options go to `bun test`
 *   ON_POSTGRES=15 npm test            tests that are not about files store in PostgreSQL 15 (or 18); at the end the
 *                                      plans of their statements are looked at (plans.ts)
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listQuickFiles } from './quick-files.ts'

const root = join(import.meta.dir, '..')
const [isQuick, given] = process.argv[2] === '--quick' ? [true, process.argv.slice(3)] : [false, process.argv.slice(2)]

/** More workers than the two cores of CI slow browsers and databases down so much that tests time out. */
const workers = 2

/** Tests that start the server as a process start this one, in a third of the time of the source. */
function buildExecutable(): string {
  const built = Bun.spawnSync([process.execPath, 'src/build/build.ts'], { cwd: root, stderr: 'inherit' })
  if (!built.success) process.exit(1)
  return join(root, 'dist/proofgate')
}

/** Each test that was skipped wrote one line: what it needs. */
function listSkipped(file: string): string[] {
  try {
    return [...new Set(readFileSync(file, 'utf8').trim().split('\n'))].sort()
  } catch {
    return []
  }
}

function explainStatements(version: string): number {
  const explained = Bun.spawnSync([process.execPath, 'test/plans.ts', version, statementsFile], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return explained.exitCode
}

const folder = mkdtempSync(join(tmpdir(), 'proofgate-tests-'))
const skippedFile = join(folder, 'skipped')
const statementsFile = join(folder, 'statements')
const env: Record<string, string | undefined> = {
  ...process.env,
  // Tests start `bun` by its name, also where only the packages of the project bring it.
  PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
  SKIPPED_TESTS: skippedFile,
}
const { ON_POSTGRES: postgres } = process.env
if (postgres !== undefined) env.RECORDED_STATEMENTS = statementsFile
if (!isQuick) env.EXECUTABLE ??= buildExecutable()

const options = [
  '--timeout=60000',
  `--parallel=${workers}`,
  // Each worker has one module registry: loading the sources again for every file takes longer than most files run.
  '--no-isolate',
  '--max-concurrency=4',
  '--timings=test/timings.json',
]
const tests = Bun.spawn([process.execPath, 'test', ...options, ...given, ...(isQuick ? listQuickFiles(root) : [])], {
  cwd: root,
  env,
  stdio: ['inherit', 'inherit', 'inherit'],
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal))
let code = await tests.exited
if (code === 0 && postgres !== undefined && existsSync(statementsFile)) code = explainStatements(postgres)

for (const line of listSkipped(skippedFile)) process.stderr.write(`skipped: ${line}\n`)
rmSync(folder, { recursive: true, force: true })
process.exit(code)
