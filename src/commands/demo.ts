/** `proofgate demo`: the main job in twelve steps, for a newcomer. */

import { accessSync, constants, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { ProofgateError, type Signer } from '../client/client.ts'
import { loadConfig } from '../config/load.ts'
import type { PortableProof } from '../envelope/portable-proof.ts'
import { startServer } from '../start.ts'
import { ownerActionVerifierId } from '../verifiers/roles.ts'
import { type Calls, makeCalls, RefusedError } from './client.ts'
import { type Command, exitCodes, type Terminal, UsageError } from './command.ts'
import { escapeInvisible } from './escape-invisible.ts'
import { runJourney, type Step } from './journey.ts'
import { readOptions } from './options.ts'
import { makePalette } from './palette.ts'
import { writeCall } from './program.ts'
import { parseServerUrl } from './server-url.ts'
import { wrapText } from './wrap.ts'

export const demo: Command = {
  async run(args, terminal) {
    const { values } = readOptions(args, {
      url: { type: 'string' },
      out: { type: 'string' },
      json: { type: 'boolean' },
    })
    const base = values.url === undefined ? undefined : parseServerUrl(values.url)
    const out = values.out === undefined ? undefined : requireWritablePlace(terminal.cwd, values.out)
    const server = base === undefined ? await startPrivateServer() : undefined
    try {
      const tell = values.json ? makeJsonTeller(terminal) : makeStoryTeller(terminal)
      const url = base ?? server!.addresses.baseUrl
      tell.begin(url, server !== undefined)
      const failed = await walk(url, out, tell, terminal)
      return failed ? exitCodes.negative : exitCodes.done
    } finally {
      await server?.stop()
    }
  },
}

/** True when a step failed. */
async function walk(url: string, out: string | undefined, tell: Teller, terminal: Terminal): Promise<boolean> {
  const wallet = await throwAwayWallet()
  const readNow = (): number => terminal.now()
  let calls = makeCalls(url, { now: readNow })
  try {
    calls = makeCalls(url, { now: readNow, audience: await findAudience(calls, wallet, readNow()) })
    const steps = runJourney(calls, wallet, readNow)
    let next = await steps.next()
    for (; !next.done; next = await steps.next()) tell.step(next.value)
    if (out !== undefined)
      await writeFile(out, `${JSON.stringify(next.value, null, 2)}\n`).catch((error) => refusePlace(out, error))
    tell.end(next.value, out)
    return false
  } catch (thrown) {
    const error = calls.told(thrown)
    if (!(error instanceof RefusedError)) throw error
    tell.failed(error.message)
    return true
  }
}

/**
 * The server's audience in signed texts: its public name, which may differ from the given address. Asking the server
 * itself is safe for a wallet that owns nothing anywhere.
 */
async function findAudience(
  { client }: Calls,
  { address }: Signer,
  signedTimestamp: number,
): Promise<string | undefined> {
  const action = { action: 'access_private_proofs_by_wallet', walletAddress: address.toLowerCase() }
  try {
    const prepared = await client.standardize({
      walletAddress: address,
      verifierIds: [ownerActionVerifierId],
      data: action,
      signedTimestamp,
    })
    const data = prepared?.bodyPreview?.data as { readonly audience?: unknown } | undefined
    return typeof data?.audience === 'string' ? data.audience : undefined
  } catch (error) {
    // The steps themselves report the server's faults.
    if (error instanceof ProofgateError) return undefined
    throw error
  }
}

/** Loaded only here: no other command makes a wallet. */
async function throwAwayWallet(): Promise<Signer> {
  const { generatePrivateKey, privateKeyToAccount } = await import('viem/accounts')
  const account = privateKeyToAccount(generatePrivateKey())
  return { address: account.address, sign: (message) => account.signMessage({ message }) }
}

/** In memory, on a free port of this machine, with defaults only: that folder holds no configuration. */
async function startPrivateServer() {
  const nowhere = join(tmpdir(), `proofgate-demo-${crypto.randomUUID()}`)
  return startServer(await loadConfig({ env: { PROOFGATE_PORT: '0' }, cwd: nowhere }), { folder: undefined })
}

/** Checked before any request to a server. */
function requireWritablePlace(cwd: string, file: string): string {
  const path = resolve(cwd, file)
  if (file === '' || statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--out names a file to write, and "${file}" is a folder`)
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--out cannot be written: there is no folder ${dirname(path)}`)
  try {
    accessSync(statSync(path, { throwIfNoEntry: false }) ? path : dirname(path), constants.W_OK)
  } catch (error) {
    refusePlace(path, error as NodeJS.ErrnoException)
  }
  return path
}

function refusePlace(path: string, { code, message }: NodeJS.ErrnoException): never {
  throw new UsageError(`${path} cannot be written (${code ?? message}): name another file after --out`)
}

interface Teller {
  begin(url: string, isPrivate: boolean): void
  step(step: Step): void
  end(proof: PortableProof, file: string | undefined): void
  failed(message: string): void
}

function makeJsonTeller({ out }: Terminal): Teller {
  const steps: object[] = []
  let server = {}
  const say = (result: object) => out(`${JSON.stringify({ ...result, server, steps })}\n`)
  return {
    begin: (url, isPrivate) => {
      server = { url, isPrivate }
    },
    step: ({ title, request, status, answer }) =>
      void steps.push({ step: steps.length + 1, title, request, status, answer }),
    end: (portableProof, file) => say({ success: true, qHash: portableProof.qHash, portableProof, file }),
    failed: (error) => say({ success: false, failedStep: steps.length + 1, error }),
  }
}

function makeStoryTeller({ out, err, isPerson }: Terminal): Teller {
  const { bold, dim, green, red, cyan } = makePalette(isPerson)
  const writeLine = (text = '') => out(`${text}\n`)
  let count = 0
  let base = ''
  return {
    begin(url, isPrivate) {
      base = isPrivate ? '' : url
      writeLine(bold('Proofgate demo: how a claim becomes a proof'))
      writeLine(`Server: ${url}${isPrivate ? ' (started for this demo, in memory, gone at its end)' : ''}`)
    },
    step({ title, request, status, answer, text }) {
      writeLine()
      writeLine(`${bold(String(++count).padStart(2))}  ${wrapText(title, { hang: 4 })}`)
      if (request !== undefined) writeLine(`    ${cyan(request)}${status === undefined ? '' : dim(`  → ${status}`)}`)
      for (const row of text === undefined
        ? listRows(answer)
        : text.split('\n').map((one) => `| ${escapeInvisible(one)}`))
        writeLine(`    ${row}`)
    },
    end({ qHash }, file) {
      writeLine()
      writeLine(green(`All ${count} steps worked.`))
      writeLine()
      writeLine('What to try next:')
      const next: (readonly [call: string, why: string])[] = [
        ...(file === undefined ? [[writeCall('demo --out proof.json'), 'keep the portable proof'] as const] : []),
        [writeCall(`verify ${file ?? 'proof.json'}`), 'check it offline; then change a letter in it and check again'],
        base
          ? [`curl ${base}/api/v1/proofs/${qHash}`, 'what a stranger sees']
          : [writeCall('serve'), 'a server of your own; it says what to do with it'],
      ]
      for (const [call, why] of next) writeLine(`  ${dim(`${why}:`)}\n    ${call}`)
    },
    failed(message) {
      err(`\n${red(`Step ${count + 1} failed:`)} ${escapeInvisible(message)}\n`)
    },
  }
}

const listRows = (answer: Step['answer']): string[] =>
  Object.entries(answer)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${escapeInvisible(typeof value === 'string' ? value : JSON.stringify(value))}`)
