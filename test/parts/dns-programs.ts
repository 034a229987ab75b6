/**
 * Runs Knot DNS, which signs zones, and BIND, which validates them and answers over HTTPS. They come from Debian's
 * packages `knot` and `bind9`, and end with the test file. They need no rights.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { certificate, certificateKey } from './dns-certificate.ts'
import { freePort } from './free-port.ts'

const folders = `${process.env.PATH}:/usr/local/sbin:/usr/sbin:/sbin`
const programs = ['knotd', 'knotc', 'keymgr', 'named'] as const
const pathOf = (name: string): string | null => Bun.which(name, { PATH: folders })

/** Required programs that this machine lacks. */
export const missingPrograms: readonly string[] = programs.filter((name) => !pathOf(name))

const endsWithUs = pathOf('setpriv') ? [pathOf('setpriv')!, '--pdeathsig', 'KILL'] : []

export interface RunningPrograms {
  /** The name server of the zones: not a resolver. */
  readonly knot: string
  /** A resolver that validates `signed.test`, and trusts another key for `bogus.test`. */
  readonly bind: string
  /** The port of BIND for DNS over HTTPS, at /dns-query. */
  readonly dohPort: number
  /** Takes the place of all TXT records of a name of `signed.test`, and signs them. */
  change(owner: string, text: string): Promise<void>
  stop(): Promise<void>
}

const zones = ['signed.test', 'bogus.test', 'plain.test'] as const

/** `records` are lines of a zone file, and the same in `signed.test`, `bogus.test` and `plain.test`. */
export async function startPrograms(records: readonly string[]): Promise<RunningPrograms> {
  const folder = mkdtempSync(join(tmpdir(), 'proofgate-dns-'))
  const running: Bun.Subprocess[] = []
  async function stop(): Promise<void> {
    for (const child of running) child.kill('SIGKILL')
    await Promise.all(running.map((child) => child.exited))
    rmSync(folder, { recursive: true, force: true })
  }
  const start = (name: string, log: string, ...args: readonly string[]): void => {
    const out = Bun.file(join(folder, log))
    running.push(
      Bun.spawn([...endsWithUs, pathOf(name)!, ...args], { cwd: folder, stdin: 'ignore', stdout: out, stderr: out }),
    )
  }

  try {
    const [knotPort, bindPort, dohPort] = await Promise.all([freePort(), freePort(), freePort()])
    for (const zone of zones) writeFileSync(join(folder, `${zone}.zone`), `${zoneHead}${records.join('\n')}\n`)
    const knotConf = join(folder, 'knot.conf')
    writeFileSync(knotConf, knotSettings(folder, knotPort!))
    start('knotd', 'knot.log', '-c', knotConf)
    await saidIn(join(folder, 'knot.log'), [
      /server started/,
      /\[signed\.test\.\].*successfully signed/,
      /\[bogus\.test\.\].*successfully signed/,
    ])

    const key = await dnskeyOf(knotConf, 'signed.test')
    writeFileSync(join(folder, 'cert.pem'), certificate)
    writeFileSync(join(folder, 'key.pem'), certificateKey)
    writeFileSync(
      join(folder, 'named.conf'),
      bindSettings(folder, { knotPort: knotPort!, bindPort: bindPort!, dohPort: dohPort! }, key),
    )
    start('named', 'named.log', '-g', '-c', join(folder, 'named.conf'))
    await saidIn(join(folder, 'named.log'), [/ running$/m])

    return {
      knot: `127.0.0.1:${knotPort}`,
      bind: `127.0.0.1:${bindPort}`,
      dohPort: dohPort!,
      async change(owner, text) {
        const knotc = (...args: readonly string[]) => said([pathOf('knotc')!, '-c', knotConf, ...args])
        await knotc('zone-begin', 'signed.test')
        await knotc('zone-unset', 'signed.test', owner, 'TXT')
        await knotc('zone-set', 'signed.test', owner, '0', 'TXT', `"${text}"`)
        await knotc('zone-commit', 'signed.test')
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A time to live of 0: a resolver asks again each time. */
const zoneHead = `$TTL 0
@ SOA ns admin 1 3600 900 86400 0
@ NS ns
ns A 127.0.0.1
`

const knotSettings = (folder: string, port: number): string => `
server:
    listen: 127.0.0.1@${port}
    rundir: ${folder}
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
log:
  - target: stderr
    any: info
database:
    storage: ${folder}
policy:
  - id: short
    algorithm: ecdsap256sha256
    single-type-signing: on
${['template:', '  - id: default', `    storage: ${folder}`, '    file: "%s.zone"', '    zonefile-sync: -1', '    journal-content: all', 'zone:'].join('\n')}
${zones.map((zone) => [`  - domain: ${zone}`, ...(zone === 'plain.test' ? [] : ['    dnssec-signing: on', '    dnssec-policy: short'])].join('\n')).join('\n')}
`

interface Ports {
  readonly knotPort: number
  readonly bindPort: number
  readonly dohPort: number
}

/** The key of `signed.test` is taken for that of `bogus.test` as well: its signatures are then wrong. */
const bindSettings = (folder: string, { knotPort, bindPort, dohPort }: Ports, key: string): string => `
options {
    directory "${folder}";
    pid-file "${folder}/named.pid";
    session-keyfile "${folder}/session.key";
    lock-file none;
    listen-on port ${bindPort} { 127.0.0.1; };
    listen-on port ${dohPort} tls own http local { 127.0.0.1; };
    listen-on-v6 { none; };
    recursion yes;
    dnssec-validation yes;
    empty-zones-enable no;
};
controls { };
tls own { key-file "${folder}/key.pem"; cert-file "${folder}/cert.pem"; };
http local { endpoints { "/dns-query"; }; };
trust-anchors {
    "signed.test." static-key ${key};
    "bogus.test." static-key ${key};
};
${zones.map((zone) => `zone "${zone}" { type forward; forward only; forwarders { 127.0.0.1 port ${knotPort}; }; };`).join('\n')}
`

/** `257 3 13 "base64"`: flags, protocol, algorithm and key. */
async function dnskeyOf(knotConf: string, zone: string): Promise<string> {
  const text = await said([pathOf('keymgr')!, '-c', knotConf, zone, 'dnskey'])
  const [, head, key] = /DNSKEY (\d+ \d+ \d+) (\S+)/.exec(text) ?? []
  if (!key) throw new Error(`keymgr showed no key: ${text}`)
  return `${head} "${key}"`
}

async function said(command: string[]): Promise<string> {
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, complaint, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${complaint}${out}`)
  return out
}

async function saidIn(log: string, lines: readonly RegExp[]): Promise<void> {
  let text = ''
  for (let turn = 0; turn < 400; turn++) {
    text = await Bun.file(log)
      .text()
      .catch(() => '')
    if (lines.every((line) => line.test(text))) return
    await Bun.sleep(50)
  }
  throw new Error(`${log} never said ${lines.join(', ')}. It ends with:\n${text.slice(-2000)}`)
}
