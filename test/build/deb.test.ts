/** The Debian package, installed, upgraded and removed by dpkg itself. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildDeb, type DebTarget, nameDeb } from '../../src/build/deb.ts'
import { buildExecutable } from '../../src/build/executable.ts'
import { firstLine } from '../db/child.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { isMissing } from '../parts/optional.ts'
import { openThrowAwayRoot } from '../parts/throw-away-root.ts'

setDefaultTimeout(120_000)

const project = join(import.meta.dir, '../..')
const newFolder = temporaryFolders()
const folder = newFolder()
const target: DebTarget = process.arch === 'arm64' ? 'linux-arm64' : 'linux-x64'
const machine = Bun.which('dpkg') ? await openThrowAwayRoot(newFolder()) : undefined
afterAll(() => machine?.end())

const settings = '/etc/proofgate/proofgate.toml'
const data = '/var/lib/proofgate'

/** The package of a version. Without an executable it has a script that prints the version. */
function writeDeb(version: string, { root = project, executable = undefined as Uint8Array | undefined } = {}): string {
  const parts = {
    root,
    target,
    version,
    executable: executable ?? Buffer.from(`#!/bin/sh\necho "proofgate ${version}"\n`),
    notices: 'notices\n',
    seconds: 1_700_000_000,
    compression: 1,
  }
  const file = join(folder, nameDeb(parts))
  writeFileSync(file, buildDeb(parts))
  return file
}

test('a package of the same files is the same in every byte', () => {
  const [once, again] = [0, 0].map(() => readFileSync(writeDeb('0.1.0')))
  expect(once!.equals(again!)).toBe(true)
})

describe.skipIf(isMissing(machine, 'installing the Debian package: root on Debian, where overlay can be mounted'))(
  'the package',
  () => {
    async function run(...command: readonly string[]): Promise<string> {
      const { code, output } = await machine!.run(command)
      if (code !== 0) throw new Error(`${command.join(' ')}: exit code ${code}: ${output}`)
      return output.trim()
    }
    const exists = async (path: string) => (await machine!.run(['test', '-e', path])).code === 0
    const describeFile = (path: string) => run('stat', '-c', '%a %U:%G', path)
    const asService = (...command: readonly string[]) => [
      'setpriv',
      '--reuid=proofgate',
      '--regid=proofgate',
      '--clear-groups',
      ...command,
    ]

    beforeAll(async () => {
      const built = process.env.EXECUTABLE ?? (await buildExecutable(undefined, { folder: newFolder() })).file
      await run(
        'dpkg',
        '--force-unsafe-io',
        '--no-triggers',
        '--install',
        writeDeb('0.1.0', { executable: readFileSync(built) }),
      )
    })

    test('makes a user, a folder and settings, and enables the service', async () => {
      expect(await run('getent', 'passwd', 'proofgate')).toMatch(
        /^proofgate:x:\d{3}:\d{3}:Proofgate,,,:\/var\/lib\/proofgate:\/usr\/sbin\/nologin$/,
      )
      expect(await describeFile(data)).toBe('700 proofgate:proofgate')
      expect(await describeFile(settings)).toBe('640 root:proofgate')
      expect(await describeFile('/usr/bin/proofgate')).toBe('755 root:root')
      expect(await run('readlink', '/etc/systemd/system/multi-user.target.wants/proofgate.service')).toEndWith(
        '/systemd/system/proofgate.service',
      )
      // Images of containers leave documents out.
      const wrong = (await run('dpkg', '--verify', 'proofgate')).split('\n')
      expect(wrong.filter((line) => line !== '' && !line.includes('/usr/share/'))).toEqual([])
    })

    test('brings every setting and the recipes for proxies and monitors as examples', async () => {
      const { output } = await machine!.run(['dpkg', '--listfiles', 'proofgate'])
      const examples = output.split('\n').filter((path) => path.includes('/examples/'))
      const folder = '/usr/share/doc/proofgate/examples'
      for (const name of ['config.example.toml', 'proxy/nginx.conf', 'fail2ban/filter.conf'])
        expect(examples).toContain(`${folder}/${name}`)
      expect(examples.filter((path) => /debian|systemd|compose/.test(path))).toEqual([])
    })

    test('runs as its user with its settings, and keeps the data in its folder', async () => {
      expect(await run(...asService('proofgate', 'check-config', '--config', settings))).toContain(
        'The configuration is right.',
      )
      const server = machine!.spawn(
        asService('env', 'PROOFGATE_PORT=0', 'proofgate', 'serve', '--json', '--config', settings),
      )
      expect(JSON.parse(await firstLine(server.stdout))).toMatchObject({ ready: true, data })
      server.kill('SIGTERM')
      expect(await server.exited).toBe(0)
      expect(await describeFile(`${data}/proofgate.sqlite`)).toBe('600 proofgate:proofgate')
    })

    test('keeps changed settings at an upgrade that did not change them, without a question', async () => {
      await run('sh', '-c', `echo '# ours' >> ${settings}`)
      await run('dpkg', '--force-unsafe-io', '--no-triggers', '--install', writeDeb('0.2.0'))
      expect(await run('proofgate', '--version')).toBe('proofgate 0.2.0')
      expect(await run('tail', '-n', '1', settings)).toBe('# ours')
      expect(await describeFile(settings)).toBe('640 root:proofgate')
      expect(await exists(`${data}/proofgate.sqlite`)).toBe(true)
    })

    test('puts new settings beside changed ones', async () => {
      const root = newFolder()
      for (const path of ['config.example.toml', 'src/packaging'])
        cpSync(join(project, path), join(root, path), { recursive: true })
      const file = join(root, 'src/packaging/debian/proofgate.toml')
      writeFileSync(file, `${readFileSync(file, 'utf8')}# new\n`)
      await run(
        'dpkg',
        '--force-unsafe-io',
        '--no-triggers',
        '--force-confold',
        '--install',
        writeDeb('0.3.0', { root }),
      )
      expect(await run('tail', '-n', '1', settings)).toBe('# ours')
      expect(await run('tail', '-n', '1', `${settings}.dpkg-dist`)).toBe('# new')
    })

    test('leaves settings and data when it is removed, and deletes both when it is purged', async () => {
      await run('dpkg', '--no-triggers', '--remove', 'proofgate')
      expect(await exists('/usr/bin/proofgate')).toBe(false)
      expect(await run('tail', '-n', '1', settings)).toBe('# ours')
      expect(await exists(`${data}/master.key`)).toBe(true)

      expect(await run('dpkg', '--no-triggers', '--purge', 'proofgate')).not.toMatch(/warning|not removed/)
      for (const path of ['/etc/proofgate', data, '/etc/systemd/system/multi-user.target.wants/proofgate.service'])
        expect(await exists(path)).toBe(false)
      expect(await run('getent', 'passwd', 'proofgate')).toStartWith('proofgate:')
    })
  },
)
