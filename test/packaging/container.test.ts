/** The container: what the Dockerfile and the compose file say, and a run in such a root file system. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { YAML } from 'bun'
import { buildExecutable } from '../../src/build/executable.ts'
import { firstLine } from '../db/child.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { freePort } from '../parts/free-port.ts'
import { isMissing } from '../parts/optional.ts'

setDefaultTimeout(60_000)

const project = join(import.meta.dir, '../..')
const newFolder = temporaryFolders()
const [building = '', final = ''] = readFileSync(join(project, 'Dockerfile'), 'utf8')
  .replaceAll('\\\n', ' ')
  .replace(/^#.*\n/gm, '')
  .split(/^(?=FROM )/m)
  .filter((stage) => stage.startsWith('FROM '))
const readInstructions = (stage: string, name: string): string[] =>
  [...stage.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, text = '']) => text.replace(/\s+/g, ' ').trim())

describe('the Dockerfile', () => {
  test('ends in an image without a shell, for a user without rights', () => {
    expect(readInstructions(final, 'FROM')).toEqual(['gcr.io/distroless/cc-debian12:nonroot'])
    expect([...readInstructions(final, 'USER'), ...readInstructions(final, 'RUN')]).toEqual([])
  })

  test('has one volume, its port, and a check that needs no shell', () => {
    expect(readInstructions(final, 'VOLUME')).toEqual(['/data'])
    expect(readInstructions(final, 'EXPOSE')).toEqual(['8787'])
    expect(readInstructions(final, 'ENV')).toEqual(['PROOFGATE_HOST=0.0.0.0 PROOFGATE_PORT=8787 PROOFGATE_DATA=/data'])
    expect(readInstructions(final, 'HEALTHCHECK')[0]).toEndWith('CMD ["/proofgate", "healthcheck"]')
    expect(readInstructions(final, 'ENTRYPOINT')).toEqual(['["/proofgate"]'])
  })

  test('builds with the pinned runtime, from files that are there, without scripts of packages', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
    expect(readInstructions(building, 'FROM')).toEqual([`oven/bun:${devDependencies.bun} AS build`])
    const [tools, install] = readInstructions(building, 'RUN')
    expect(tools).toEndWith('--no-install-recommends gcc libc6-dev libsecp256k1-dev')
    expect(install).toInclude('--frozen-lockfile --production')
    expect(install).toEndWith('--ignore-scripts')
    const copied = readInstructions(building, 'COPY').flatMap((line) => line.split(' ').slice(0, -1))
    const allowed = readFileSync(join(project, '.dockerignore'), 'utf8')
    for (const path of copied) {
      expect(existsSync(join(project, path)), path).toBe(true)
      expect(allowed).toContain(`\n!${path}\n`)
    }
  })
})

const compose = YAML.parse(readFileSync(join(project, 'src/packaging/compose.yaml'), 'utf8')) as {
  readonly services: { readonly proofgate: Readonly<Record<string, unknown>> }
}
const service = compose.services.proofgate

test('the compose file takes every right away, and publishes the port to this machine alone', () => {
  expect(service).toMatchObject({
    user: '65532:65532',
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    volumes: ['data:/data'],
    ports: ['127.0.0.1:8787:8787'],
    stop_grace_period: '30s',
  })
})

/** What distroless/cc has of libraries: the C library and those of the compiler. */
const libraries = ['libc.so.6', 'libm.so.6', 'libpthread.so.0', 'libdl.so.2', 'libgcc_s.so.1', 'libstdc++.so.6']
const [triplet, loader] =
  process.arch === 'arm64'
    ? ['aarch64-linux-gnu', '/lib/ld-linux-aarch64.so.1']
    : ['x86_64-linux-gnu', '/lib64/ld-linux-x86-64.so.2']

/** A root file system with nothing else, mounted read-only in a namespace of its own. Undefined where this user may not. */
async function openContainer(mounts: readonly string[]) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const root = newFolder()
  chmodSync(root, 0o755)
  for (const folder of ['tmp', 'proc', 'data', 'etc']) mkdirSync(join(root, folder))
  const copy = (from: string, to: string): void => {
    mkdirSync(dirname(join(root, to)), { recursive: true })
    copyFileSync(from, join(root, to))
  }
  copy(loader, loader)
  for (const library of libraries) copy(`/usr/lib/${triplet}/${library}`, `/usr/lib/${triplet}/${library}`)
  copy(process.env.EXECUTABLE ?? (await buildExecutable(undefined, { folder: newFolder() })).file, '/proofgate')
  writeFileSync(join(root, 'etc/passwd'), 'nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n')
  const script = [
    `mount --bind ${root} ${root}`,
    `mount -t tmpfs -o uid=65532,gid=65532,mode=700 data ${root}/data`,
    ...mounts.map((mount) => mount.replace('ROOT', root)),
    `mount --rbind /proc ${root}/proc`,
    `mount -o remount,ro,bind ${root}`,
    'echo mounted',
    'exec sleep infinity',
  ]
  const holder = Bun.spawn(['unshare', '--mount', 'sh', '-c', script.join(' && ')], {
    stdout: 'pipe',
    stderr: 'ignore',
  })
  if ((await firstLine(holder.stdout)) !== 'mounted') return undefined
  const port = String(await freePort())
  const enter = [
    'nsenter',
    '--mount',
    '--target',
    String(holder.pid),
    '/usr/bin/setpriv',
    '--no-new-privs',
    '/usr/sbin/chroot',
  ]
  return {
    port,
    root: `/proc/${holder.pid}/root${root}`,
    spawn: (...args: readonly string[]) =>
      Bun.spawn([...enter, '--userspec=65532:65532', root, '/proofgate', ...args], {
        env: { PROOFGATE_HOST: '0.0.0.0', PROOFGATE_PORT: port, PROOFGATE_DATA: '/data' },
        stdout: 'pipe',
        stderr: 'pipe',
      }),
    async end() {
      holder.kill('SIGKILL')
      await holder.exited
    },
  }
}

type Container = NonNullable<Awaited<ReturnType<typeof openContainer>>>

/** As the compose file mounts it. */
const tmpfs = String((service.tmpfs as string[])[0]).replace('/tmp:exec,', '')
const withTmp = await openContainer([`mount -t tmpfs -o nosuid,nodev,exec,${tmpfs} tmp ROOT/tmp`])
const withoutTmp = await openContainer([])
afterAll(() => Promise.all([withTmp?.end(), withoutTmp?.end()]))

describe.skipIf(isMissing(withTmp, 'a run in a read-only root file system: root on Linux, with mount namespaces'))(
  'in a read-only root with the libraries of distroless/cc, as user 65532',
  () => {
    async function useServer(container: Container, step: (ready: { recovery: string }) => Promise<void>) {
      const server = container.spawn('serve', '--json')
      try {
        await step(JSON.parse(await firstLine(server.stdout)))
        server.kill('SIGTERM')
        expect(await server.exited).toBe(0)
      } finally {
        server.kill('SIGKILL')
      }
    }

    test('the server runs at full speed, its check says ready, and it writes to the volume alone', async () => {
      await useServer(withTmp!, async ({ recovery }) => {
        expect(recovery).toBe('native')
        expect(await withTmp!.spawn('healthcheck').exited).toBe(0)
        const { uid, mode } = statSync(join(withTmp!.root, 'data/proofgate.sqlite'))
        expect([uid, mode & 0o777]).toEqual([65532, 0o600])
        expect(() => writeFileSync(join(withTmp!.root, 'etc/other'), '')).toThrow('read-only')
      })
      expect(await withTmp!.spawn('healthcheck').exited).toBe(1)
    })

    test('without a folder for temporary files the server runs with the slower recovery', async () => {
      await useServer(withoutTmp!, async ({ recovery }) => expect(recovery).toBe('wasm'))
    })
  },
)
