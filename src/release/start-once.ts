/** Starts an executable once, to learn whether it runs on this machine and which version it is. */
import { ReleaseError } from './release-list.ts'

export interface Build {
  readonly version: string
  /** The newest migration that it knows. Undefined for a version that does not say. */
  readonly schema: string | undefined
}

/** Starting takes a fraction of a second. A slow disk reads a hundred megabytes. */
const waitMs = 60_000

/** `asked`: the name of the file for messages. Errors: ReleaseError. */
export async function startOnce(file: string, asked: string): Promise<Build> {
  const text = await readOutput([file, 'version', '--json'], asked)
  // A version from before --json says its number alone.
  const [, plain] = /^proofgate (\S+)\n$/.exec(text) ?? []
  if (plain !== undefined) return { version: plain, schema: undefined }
  try {
    const { version, schema } = JSON.parse(text) as { version?: unknown; schema?: unknown }
    if (typeof version === 'string') return { version, schema: typeof schema === 'string' ? schema : undefined }
  } catch {
    // Said below.
  }
  throw new ReleaseError(
    `${asked} is no proofgate: asked for its version, it says ${JSON.stringify(text.slice(0, 100))}`,
  )
}

/** Without the settings of this process: the version depends on none. Errors: ReleaseError. */
async function readOutput(command: readonly [file: string, ...args: string[]], asked: string): Promise<string> {
  let child: Bun.Subprocess<'ignore', 'pipe', 'ignore'>
  try {
    child = Bun.spawn([...command], {
      cwd: '/',
      env: {},
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'ignore',
      timeout: waitMs,
      killSignal: 'SIGKILL',
    })
  } catch (error) {
    throw makeNoStartError(asked, (error as NodeJS.ErrnoException).code ?? String(error))
  }
  const [text, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
  if (code !== 0)
    throw makeNoStartError(asked, child.signalCode === null ? `exit code ${code}` : `signal ${child.signalCode}`)
  return text
}

const makeNoStartError = (asked: string, why: string): ReleaseError =>
  new ReleaseError(
    `${asked} cannot be started on this machine (${why}): it may be for another one. The executable was not changed`,
  )
