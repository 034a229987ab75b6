/**
 * Three machines with systemd, a network between them, and the commands of the guide "More than one machine": etcd,
 * Patroni and HAProxy of Debian, and the Debian package. Then the primary is killed, and a whole machine is lost.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, readFileSync } from 'node:fs'
import { buildDeb, type DebTarget, nameDeb } from '../../src/build/deb.ts'
import { buildExecutable } from '../../src/build/executable.ts'
import { isLong } from '../cluster/long.ts'
import { readPage, root } from '../guides/page.ts'
import { type BootedMachine, bootMachine } from '../parts/booted-machine.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { openMachineNetwork } from '../parts/machine-network.ts'
import { isMissing } from '../parts/optional.ts'

setDefaultTimeout(600_000)

const newFolder = temporaryFolders()
const names = ['one', 'two', 'three'] as const
type Name = (typeof names)[number]
const addresses: Readonly<Record<Name, string>> = { one: '10.0.0.1', two: '10.0.0.2', three: '10.0.0.3' }
const publicHost = 'proofs.example.com'

const programs = ['patroni', 'etcd', 'haproxy', 'ip'].every((name) =>
  Bun.which(name, { PATH: `${process.env.PATH}:/usr/sbin` }),
)
const network = isLong && programs ? await openMachineNetwork() : undefined
const machines = new Map<Name, BootedMachine>()
if (network)
  for (const name of names) {
    const machine = await bootMachine(newFolder())
    if (!machine) break
    network.plug(machine, addresses[name])
    machines.set(name, machine)
  }
afterAll(async () => {
  for (const machine of machines.values()) await machine.end()
  await network?.end()
})

const { blocks } = readPage('src/guides/several-machines.md')
const target: DebTarget = process.arch === 'arm64' ? 'linux-arm64' : 'linux-x64'
const version = '0.1.0'

/** Root already. */
const sudo = `#!/bin/sh
if [ "$1" = -u ]; then user=$2; shift 2; exec runuser -u "$user" -- env "$@"; fi
exec env "$@"
`

const missing = isMissing(
  machines.size === names.length,
  'three machines: apt-get install patroni etcd-server haproxy iproute2, and as root LONG=1 npm test -- test/packaging/three-machines.test.ts',
)

describe.skipIf(missing)('three machines by the guide', () => {
  const get = (name: Name): BootedMachine => machines.get(name)!
  const living = (): Name[] => names.filter((name) => machines.has(name))

  /** Runs a block as it stands, but for what this network lacks, and with the name and address of the machine. */
  const runBlock = (name: Name, code: string): Promise<string> =>
    get(name).run(
      `set -e\n${code
        .replace(/^sudo apt install .*$/m, '')
        .replace('proofgate_0.1.0_amd64.deb', `/root/${nameDeb({ target, version })}`)
        .replace('name=one address=10.0.0.1', `name=${name} address=${addresses[name]}`)}`,
    )

  /** Asks a HAProxy, as a client of the public name. */
  async function ask(name: Name, path: string): Promise<string> {
    const resolve = `${publicHost}:443:${addresses[name]}`
    const asked = network!.spawn([
      'curl',
      '-sk',
      '--max-time',
      '5',
      '--resolve',
      resolve,
      `https://${publicHost}${path}`,
    ])
    return new Response(asked.stdout).text()
  }
  const isReady = async (name: Name): Promise<boolean> =>
    (await ask(name, '/api/v1/health/ready')).includes('"ready":true')
  async function until(isSo: () => Promise<boolean>): Promise<number> {
    const startedAt = performance.now()
    while (!(await isSo().catch(() => false))) await Bun.sleep(100)
    return Math.round(performance.now() - startedAt)
  }

  interface Member {
    readonly Member: Name
    readonly Role: string
    readonly State: string
  }
  const listMembers = async (): Promise<readonly Member[]> => {
    const [asked] = living()
    const said = await get(asked!).run('runuser -u postgres -- patronictl -c /etc/patroni/config.yml list -f json')
    return JSON.parse(said.slice(said.indexOf('[')))
  }
  const findLeader = async (): Promise<Name | undefined> =>
    (await listMembers()).find(({ Role, State }) => Role === 'Leader' && State === 'running')?.Member
  const countSynchronous = async (): Promise<number> =>
    (await listMembers()).filter(({ Role, State }) => Role === 'Sync Standby' && State === 'running').length
  /** The whole way of a proof, which writes. Says whether it worked. */
  const makeProof = async (name: Name): Promise<boolean> => {
    const demo = `proofgate demo --url http://${addresses[name]}:8787`
    return (await get(name).run(`${demo} 2>&1 || true`)).includes('All 13 steps worked')
  }
  /** It finds that the certificate of the public name is nobody's. */
  const runDoctor = (code: string): Promise<string> => runBlock('one', `${code.trim()} || true`)
  const readHash = (text: string): string => /0x[0-9a-f]{64}/.exec(text)![0]
  let early: string

  beforeAll(async () => {
    const built = process.env.EXECUTABLE ?? (await buildExecutable(undefined, { folder: newFolder() })).file
    const parts = { root, target, version, executable: readFileSync(built), notices: '', seconds: 1_700_000_000 }
    const deb = buildDeb({ ...parts, compression: 1 })
    for (const name of names) {
      const machine = get(name)
      machine.write(`/root/${nameDeb(parts)}`, deb)
      machine.write('/usr/local/bin/sudo', sudo, 0o755)
      await machine.run('ln -sf /bin/true /usr/bin/mandb; rm -f /usr/sbin/policy-rc.d')
      await machine.run(`echo '${addresses[name]} ${publicHost}' >> /etc/hosts`)
    }
  })

  test('every command of the guide works, and what the folder held is there afterwards', async () => {
    const settings = blocks.find(({ language }) => language === 'toml')!.code
    for (const { language, name: kind, code } of blocks) {
      if (language !== 'console') continue
      if (kind === 'each') await Promise.all(names.map((name) => runBlock(name, code)))
      if (kind === 'one') await runBlock('one', code)
      if (kind === 'doctor') expect(await runDoctor(code)).toMatch(/takes\s+writes, with 2 standbys/)
      if (kind === 'others') for (const name of ['two', 'three'] as const) await runBlock(name, code)
      if (kind === 'each' && early === undefined) {
        await until(async () => (await get('one').run('curl -s 127.0.0.1:8787/health/ready')).includes('"ready":true'))
        early = readHash(await get('one').run('proofgate demo --url http://127.0.0.1:8787'))
      }
      if (kind === 'copy') {
        get('one').write('/root/setup/proofgate.toml', settings)
        const subject = `-subj /CN=${publicHost} -keyout /tmp/k.pem -out /tmp/c.pem`
        await get('one').run(
          `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 ${subject} && cat /tmp/c.pem /tmp/k.pem > /root/setup/${publicHost}.pem`,
        )
        for (const name of ['two', 'three'] as const)
          cpSync(`/proc/${get('one').pid}/root/root/setup`, `/proc/${get(name).pid}/root/root/setup`, {
            recursive: true,
          })
      }
      // Debian's PostgreSQL copies the whole database first.
      if (kind === 'others') await until(async () => (await countSynchronous()) === 1)
    }
    for (const name of names) await until(() => isReady(name))
    for (const name of names) expect(await ask(name, `/api/v1/proofs/${early}`)).toContain(early)
    for (const name of names) expect(await makeProof(name)).toBe(true)
  })

  test('two servers run on one machine with a unit for each port', async () => {
    const { code } = blocks.find(({ name }) => name === 'pair')!
    await runBlock('three', code)
    for (const port of [8787, 8789])
      expect(await get('three').run(`curl -s 127.0.0.1:${port}/health/ready`)).toContain('"ready":true')
  })

  test('a primary that is killed is replaced, and comes back as a copy', async () => {
    const leader = (await findLeader())!
    // The postmaster: its children end with it.
    await get(leader).run('kill -KILL "$(head -n 1 /var/lib/postgresql/15/proofgate/postmaster.pid)"')
    const tookMs = await until(async () => {
      const found = await findLeader()
      return found !== undefined && found !== leader
    })
    const writesMs = await until(() => makeProof(leader))
    console.log(`killed: another primary after ${tookMs} ms, a server stores ${writesMs} ms later`)
    await until(async () => (await countSynchronous()) === 1 && (await listMembers()).length === 3)
    expect(await ask('one', `/api/v1/proofs/${early}`)).toContain(early)
  })

  test('a whole machine is lost: the others go on by themselves, with everything that was there', async () => {
    const lost = (await findLeader())!
    await get(lost).end()
    machines.delete(lost)
    const [other] = living() as [Name]
    const tookMs = await until(() => makeProof(other))
    console.log(`lost: the others store after ${tookMs} ms`)
    for (const name of living()) {
      await until(() => isReady(name))
      expect(await ask(name, `/api/v1/proofs/${early}`)).toContain(early)
    }
    const journal = await get(other).run("journalctl -u 'proofgate*' --no-pager")
    expect(journal).toContain('database-unreachable')
    expect(journal).toContain('database-found')
  })
})
