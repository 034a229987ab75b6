/** The Debian package on a machine with systemd: the commands of the guide, and what systemd does when the server fails. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { buildDeb, type DebTarget, nameDeb } from '../../src/build/deb.ts'
import { buildExecutable } from '../../src/build/executable.ts'
import { readPage, root } from '../guides/page.ts'
import { bootMachine } from '../parts/booted-machine.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { isMissing } from '../parts/optional.ts'

setDefaultTimeout(120_000)

const newFolder = temporaryFolders()
const machine = Bun.which('dpkg') ? await bootMachine(newFolder()) : undefined
afterAll(() => machine?.end())

type Machine = NonNullable<typeof machine>

const { blocks } = readPage('src/guides/packages.md')
const target: DebTarget = process.arch === 'arm64' ? 'linux-arm64' : 'linux-x64'
const version = '0.1.0'

/** Root already, and in the log of the machine nobody wants colors. */
const sudo = `#!/bin/sh
if [ "$1" = -u ]; then user=$2; shift 2; exec runuser -u "$user" -- "$@"; fi
exec "$@"
`

describe.skipIf(isMissing(machine, 'a machine with systemd: root on Debian, with overlay and control groups'))(
  'on a machine with systemd',
  () => {
    // Skipped tests are listed all the same, where there is no machine.
    const run: Machine['run'] = (...given) => machine!.run(...given)
    const write: Machine['write'] = (...given) => machine!.write(...given)
    /** Runs the lines of the blocks with this name, and gives what each printed. */
    async function runGuide(name: string, fromBlock = 0, count = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
      const lines = blocks
        .filter((block) => block.language === 'console' && block.name === name)
        .slice(fromBlock, fromBlock + count)
        .flatMap(({ code }) => code.trim().split('\n'))
      const printed: string[] = []
      for (const line of lines)
        printed.push(await run(line.replace('proofgate_0.1.0_amd64.deb', nameDeb({ target, version }))))
      expect(printed.length).toBeGreaterThan(0)
      return printed
    }
    const show = async (property: string) => run(`systemctl show --property ${property} --value proofgate`)
    const readMainPid = () => show('MainPID')
    /** Not by a number: that of a service which does not run is 0, and would be this test. */
    const signal = (name: string) => run(`systemctl kill --kill-who main --signal ${name} proofgate`)
    const isReady = async () =>
      (await run('curl --silent http://127.0.0.1:8787/api/v1/health/ready || true')).includes('"ready":true')
    /** Asks again and again, for as long as the test may take. */
    async function until(isSo: () => Promise<boolean>): Promise<void> {
      while (!(await isSo())) await Bun.sleep(100)
    }

    beforeAll(async () => {
      const built = process.env.EXECUTABLE ?? (await buildExecutable(undefined, { folder: newFolder() })).file
      const parts = { root, target, version, executable: readFileSync(built), notices: '', seconds: 1_700_000_000 }
      write(nameDeb(parts), buildDeb({ ...parts, compression: 1 }))
      write('/usr/local/bin/sudo', sudo, 0o755)
      // The index of manual pages of the whole machine takes seconds.
      await run('ln -sf /bin/true /usr/bin/mandb')
      // Images of containers keep packages from starting services.
      await run('rm -f /usr/sbin/policy-rc.d')
    })

    test('the installation starts a service that is ready and says so', async () => {
      const [, status, journal] = await runGuide('deb', 0, 1)
      expect(status).toContain('Active: active (running)')
      expect(status).toContain('Status: "Ready at http://127.0.0.1:8787"')
      expect(journal).toContain('http://127.0.0.1:8787/operator/claim#')
      expect(await isReady()).toBe(true)
    })

    test('the other commands of the guide work', async () => {
      const [checked, , doctor, link] = await runGuide('deb', 1)
      expect(checked).toContain('The configuration is right.')
      expect(doctor).toContain('/var/lib/proofgate')
      expect(link).toContain('/operator/claim#')
      expect(await show('ActiveState')).toBe('active')
    })

    test('a key among the credentials takes the place of that in the data folder', async () => {
      const before = await run('cat /var/lib/proofgate/master.key')
      await runGuide('deb-credential')
      expect(await isReady()).toBe(true)
      expect(await run('ls /var/lib/proofgate')).not.toContain('master.key')
      expect(await run('cat /etc/credstore/PROOFGATE_MASTER_KEY')).toBe(before)
    })

    test('the service writes its log and backups where the guide says, and nowhere else', async () => {
      await run('install -d -m 0700 -o proofgate -g proofgate /var/backups/proofgate /srv/other')
      await run(`printf "\\n[log]\\nfile = '/var/log/proofgate/proofgate.log'\\n" >> /etc/proofgate/proofgate.toml`)
      await run('systemctl restart proofgate')
      expect(await run('stat --format "%a %U" /var/log/proofgate/proofgate.log')).toBe('600 proofgate')
      const shell = async (line: string) =>
        run(`nsenter --target ${await readMainPid()} --mount runuser -u proofgate -- ${line}`)
      for (const folder of ['/var/lib/proofgate', '/var/log/proofgate', '/var/backups/proofgate'])
        await shell(`touch ${folder}/written`)
      await expect(shell('touch /srv/other/written')).rejects.toThrow('Read-only file system')
    })

    test('a server that was killed is started again', async () => {
      // As in the unit, and sooner.
      const times = ['WatchdogSec=2', 'TimeoutAbortSec=1', 'RestartSec=100ms']
      await run('mkdir -p /etc/systemd/system/proofgate.service.d')
      write('/etc/systemd/system/proofgate.service.d/soon.conf', `[Service]\n${times.join('\n')}\n`)
      await run('systemctl daemon-reload')
      const first = await readMainPid()
      await signal('KILL')
      await until(async () => (await show('NRestarts')) === '1' && (await isReady()))
      expect(await readMainPid()).not.toBe(first)
    })

    test('a server that hangs is killed and started again', async () => {
      await run('systemctl restart proofgate')
      const first = await readMainPid()
      // Longer than the watchdog waits: it is fed.
      await Bun.sleep(3000)
      expect(await readMainPid()).toBe(first)
      await signal('STOP')
      await until(async () => (await show('NRestarts')) === '1' && (await isReady()))
      expect(await run('journalctl --unit proofgate --no-pager')).toContain('Watchdog timeout')
    })

    test('a server with wrong settings is not started again', async () => {
      await run(
        'cp /etc/proofgate/proofgate.toml /root/before && sed -i "1i port = 99999999" /etc/proofgate/proofgate.toml',
      )
      await expect(run('systemctl restart proofgate')).rejects.toThrow('failed')
      await until(async () => (await show('ActiveState')) === 'failed')
      expect([await show('ExecMainStatus'), await show('NRestarts')]).toEqual(['78', '0'])
      await run('cp /root/before /etc/proofgate/proofgate.toml && systemctl restart proofgate')
      expect(await isReady()).toBe(true)
    })

    test('removing stops the service', async () => {
      await runGuide('deb-removal')
      expect(await isReady()).toBe(false)
      expect(await run('journalctl --unit proofgate --no-pager --lines 5')).toContain('Deactivated successfully')
      await expect(run('test -e /var/lib/proofgate')).rejects.toThrow()
    })
  },
)
