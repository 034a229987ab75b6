/** Reports of commands about a data folder whose disk does not answer. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { faultsIn } from '../db/store.ts'
import { startFaulty } from '../health/fault-stage.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { program } from '../parts/program.ts'
import { mountImage } from '../parts/small-disk.ts'

setDefaultTimeout(60_000)

const newFolder = temporaryFolders()
const disk = mountImage()
afterAll(() => disk?.end())

const commands = ['doctor', 'check-config', 'compact', 'gates list', 'upgrade --check', 'version --check']

/** With a rule, calls of the command and of its child processes do not return. */
async function run(folder: string, command: string, hangs?: string) {
  const told = `${program.map((part) => `'${part}'`).join(' ')} ${command}; echo "exit code $?"`
  const before = hangs
    ? ['strace', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${hangs}`, '-e', `inject=${hangs}:delay_enter=600000000`]
    : []
  const child = Bun.spawn([...before, 'sh', '-c', `{ ${told}; } 2>&1`], {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', PROOFGATE_DATA: folder, PROOFGATE_STORAGE_WRITE_TIMEOUT_SECONDS: '2' },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  try {
    return await readUntil(child.stdout, /exit code \d+\n/)
  } finally {
    // strace waits for a process that still hangs.
    child.kill('SIGKILL')
    await child.exited
  }
}

async function readUntil(stream: ReadableStream<Uint8Array>, end: RegExp): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true })
    if (end.test(text)) break
  }
  return text
}

function expectGivenUp(told: string, folder: string): void {
  expect(told).toStartWith(`proofgate: the disk of the data folder ${folder} has not answered for 2 s`)
  expect(told).toEndWith('exit code 74\n')
}

test.concurrent.each(commands)('%s gives up a folder whose free space cannot be read', async (command) => {
  const folder = newFolder()
  expectGivenUp(await run(folder, command, 'statfs'), folder)
})

test.each(disk ? commands : [])('%s gives up a folder on a frozen file system', async (command) => {
  const folder = join(disk!.folder, 'data')
  const server = await startFaulty(folder)
  await server.kill()
  const frozen = disk!.freeze()
  try {
    expectGivenUp(await run(folder, command), folder)
  } finally {
    frozen.end()
  }
  expect(faultsIn(folder)).toEqual([])
})
