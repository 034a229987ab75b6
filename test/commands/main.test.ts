import { describe, expect, test } from 'bun:test'
import { exitCodes } from '../../src/commands/command.ts'
import { commands } from '../../src/commands/index.ts'
import { version } from '../../src/version.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { program } from '../parts/program.ts'

const newFolder = temporaryFolders()

async function proofgate(args: string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([...program, ...args], {
    cwd: newFolder(),
    env: { PATH: process.env.PATH ?? '', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

const listLongLines = (text: string): string[] => text.split('\n').filter((line) => line.length > 100)

describe('proofgate', () => {
  test('--help lists every command and the exit codes', async () => {
    const { code, out } = await proofgate(['--help'])
    expect(code).toBe(0)
    for (const { name, summary } of commands)
      expect(out).toMatch(new RegExp(`^ {2}${name} +${summary.slice(0, 20)}`, 'm'))
    expect(out).toContain('Exit codes: 0 done, 1 the answer is no, 2 wrong call, 69')
    expect(listLongLines(out)).toEqual([])
    for (const code of Object.values(exitCodes)) expect(out).toMatch(new RegExp(`\\b${code} [a-z]`))
  })

  test.concurrent.each(commands.map(({ name }) => [name]))(
    '%s --help shows its options and exit codes',
    async (name) => {
      const [own, asked] = await Promise.all([proofgate([name, '--help']), proofgate(['help', name])])
      expect(own).toEqual(asked)
      expect(own.code).toBe(0)
      expect(own.out).toStartWith(`proofgate ${name} `)
      expect(own.out).toContain('--json')
      expect(own.out).toMatch(/Exit codes:\s+0 /)
      expect(own.out.split('Exit codes:')[1]).toMatch(/\b2\s+[a-z]/)
      expect(listLongLines(own.out)).toEqual([])
      expect(own.err).toBe('')
    },
  )

  test('ends as if all was read where its reader stops early', async () => {
    const script = `{ ${program.map((word) => `'${word}'`).join(' ')} guide settings; echo "code $?" >&2; } | head -c 20`
    const child = Bun.spawn(['sh', '-c', script], { cwd: newFolder(), stdout: 'pipe', stderr: 'pipe' })
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    expect([out.length, err]).toEqual([20, 'code 0\n'])
  })

  test('says so where its output cannot be written', async () => {
    const child = Bun.spawn(
      ['sh', '-c', `${program.map((word) => `'${word}'`).join(' ')} guide settings > /dev/full`],
      {
        cwd: newFolder(),
        stderr: 'pipe',
      },
    )
    expect(await new Response(child.stderr).text()).toBe('proofgate: standard output cannot be written (ENOSPC)\n')
    expect(await child.exited).toBe(exitCodes.unavailable)
  })

  test.concurrent.each([
    [['--version'], 0, `proofgate ${version}\n`, ''],
    [['version'], 0, `proofgate ${version}\n`, ''],
    [['verfy'], 2, '', 'There is no command "verfy"; did you mean "verify"?'],
    [['help', 'nonsense'], 2, '', 'There is no command "nonsense". proofgate --help lists them.'],
    [['serve', '--port', '80'], 2, '', '"port" is a setting, given by the variable PROOFGATE_PORT'],
    [['--confg', 'x'], 2, '', 'there is no option --confg; did you mean --config? See proofgate serve --help'],
    [['serve', 'x'], 2, '', 'See proofgate serve --help'],
    [['verify'], 2, '', 'name the file of a portable proof'],
    [['demo', '--url', 'http://127.0.0.1:1'], 69, undefined, 'no server answers at http://127.0.0.1:1'],
    [['healthcheck', '--config', 'none.toml'], 78, '', 'none.toml: there is no such file'],
  ] as const)('%j exits with %i', async (args, code, out, err) => {
    const ended = await proofgate([...args])
    expect(ended.code).toBe(code)
    if (out !== undefined) expect(ended.out).toBe(out)
    expect(ended.err).toContain(err)
    expect(ended.err).not.toContain('    at ')
  })

  test('asks its own machine directly, whatever proxy the environment names', async () => {
    const proxy = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('proxied', { status: 502 }) })
    const address = `http://127.0.0.1:${proxy.port}`
    const { code } = await proofgate(['demo'], { HTTP_PROXY: address, http_proxy: address, NO_PROXY: 'example.com' })
    await proxy.stop(true)
    expect(code).toBe(0)
  })
})
