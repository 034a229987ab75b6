/** A checkout as a reader of the documentation has it, with a server that runs, to type commands into. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.ts'
import { startServer } from '../../src/start.ts'
import { root } from './page.ts'

export interface Printed {
  readonly output: string
  /** The part of it on standard output, without hints for people. */
  readonly answer: string
  readonly exitCode: number
}

export type Checkout = Awaited<ReturnType<typeof startCheckout>>

export interface CheckoutOptions {
  /** Holds the key of `proofgate sign`, so that checkouts can share a wallet. The folder of the checkout by default. */
  readonly home?: string
  /** Commands are started by npm, as readers type them. */
  readonly withNpm?: boolean
  /** Fills in addresses and keys that a page only gives as examples. */
  readonly fill?: (code: string) => string
}

/**
 * `files` are written before the server starts: its configuration may be among them.
 */
export async function startCheckout(
  files: Readonly<Record<string, string>> = {},
  { home, withNpm = false, fill = (code) => code }: CheckoutOptions = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'proofgate-guides-'))
  // Files of a checkout that the commands need.
  for (const name of ['package.json', 'node_modules', 'src', 'migrations', 'test', 'tsconfig.json'])
    symlinkSync(join(root, name), join(folder, name))
  const write = (name: string, content: string): void => writeFileSync(join(folder, name), content)
  for (const [name, content] of Object.entries(files)) write(name, content)
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const server = await startConfiguredServer(folder).catch((error) => {
    remove()
    throw error
  })

  /**
   * The commands as a reader types them, with this test's port. Bun stands in for Node and npm where they are absent or
   * slow.
   */
  const here = (code: string): string =>
    [
      [/http:\/\/127\.0\.0\.1:8787/g, server.addresses.baseUrl],
      [/http:\/\/127\.0\.0\.1:8788\/metrics/g, server.metricsUrl ?? 'switched off'],
      // npm itself takes half a second for each call: only the README's commands are typed with it.
      ...(withNpm ? [] : [[/\bnpm run --silent proofgate -- /g, 'bun src/main.ts '] as const]),
      ...(withNpm
        ? []
        : [
            [
              /proofgate\(\) \{ npm run --silent proofgate -- "\$@"; \}/g,
              'proofgate() { bun src/main.ts "$@"; }',
            ] as const,
          ]),
      ...(Bun.which('npm') ? [] : [[/\bnpm run\b/g, 'bun run'] as const, [/ -- /g, ' '] as const]),
      ...(Bun.which('node') ? [] : [[/\bnode\b/g, 'bun'] as const]),
    ].reduce((changed, [from, to]) => changed.replace(from as RegExp, to as string), fill(code))

  return {
    folder,
    home: home ?? folder,
    addresses: server.addresses,
    here,
    write,

    async run(code: string): Promise<Printed> {
      const child = Bun.spawn(['sh', '-e', '-c', here(code)], {
        cwd: folder,
        // A home of its own, because `sign` makes a key there.
        env: {
          ...process.env,
          HOME: home ?? folder,
          XDG_CONFIG_HOME: '',
          PATH: `${root}node_modules/.bin:${process.env.PATH}`,
          NO_PROXY: '127.0.0.1',
        },
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const [out, err, exitCode] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ])
      return { output: out + err, answer: out, exitCode }
    },

    stop: (): Promise<void> => server.stop().finally(remove),
  }
}

async function startConfiguredServer(folder: string) {
  const config = await loadConfig({ env: { PROOFGATE_PORT: '0', PROOFGATE_METRICS_PORT: '0' }, cwd: folder })
  return startServer(config, { folder: config.data })
}
