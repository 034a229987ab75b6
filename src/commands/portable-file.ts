/**
 * A portable proof as a caller submits it: the bare object, or an answer of the API that holds one. It is bounded and
 * strict. Duplicate members, which JSON allows, are refused here; envelope/portable-shape.ts refuses the rest.
 */
import { createReadStream } from 'node:fs'
import type { PortableProof } from '../envelope/portable-proof.ts'
import { findShapeFault, type NeededMember, neededMembers, type ShapeFault } from '../envelope/portable-shape.ts'
import { findStrictJsonFault } from '../envelope/strict-json.ts'
import { type ChainContext, findAddressFault, readNamespace } from '../wallet/account.ts'
import { escapeInvisible } from './escape-invisible.ts'

/** The input is no portable proof, whatever its signature says. */
export class UnusableProofError extends Error {
  override readonly name = 'UnusableProofError'
}

export const largestProofBytes = 1_048_576

export interface PortableFile {
  readonly proof: PortableProof
  /** The answer around the proof and its data, as far as the file holds them. */
  readonly records: readonly Readonly<Record<string, unknown>>[]
}

/** Errors: UnusableProofError. */
export const parsePortableProof = (text: string): PortableProof => parsePortableFile(text).proof

/** Errors: UnusableProofError. */
export function parsePortableFile(text: string): PortableFile {
  const { candidate, records } = findCandidate(parse(text))
  const fault = findShapeFault(candidate)
  if (fault) throw new UnusableProofError(describeFault(fault, candidate))
  return { proof: candidate as unknown as PortableProof, records }
}

/** Each completes the sentence "the member x must be …". */
const forms: Readonly<Record<NeededMember | 'chainId' | 'chain', string>> = {
  qHash: '0x and 64 hexadecimal digits',
  did: 'a did:pkh identifier',
  walletAddress: 'a wallet address',
  verifierIds: 'a list of verifier ids',
  data: 'an object',
  signedTimestamp: 'Unix milliseconds',
  signature: 'the text of a signature',
  signatureMethod: 'eip191 or ed25519',
  chainId: 'the number of an EVM chain',
  chain: 'a CAIP-2 id such as "solana:mainnet"; an EVM chain by its number after "eip155:"',
}

function describeFault({ member, is }: ShapeFault, found: Readonly<Record<string, unknown>>): string {
  switch (is) {
    case 'wrong':
      return Object.hasOwn(forms, member)
        ? `the member "${member}" must be ${forms[member as keyof typeof forms]}`
        : `the member "${escapeInvisible(member).slice(0, 80)}" does not belong in a portable proof, which has exactly ${neededMembers.join(', ')} and one of chainId, chain`
    case 'missing':
      return `the member "${member}" is missing`
    case 'both':
      return 'exactly one of the members "chainId" and "chain" must be there'
    case 'of another chain': {
      const { chain, chainId, walletAddress } = found as unknown as PortableProof
      const context: ChainContext = chain === undefined ? { chainId: chainId! } : { chain }
      return `the member "walletAddress" does not fit its chain: ${findAddressFault(walletAddress, readNamespace(context))}`
    }
  }
}

function parse(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message.replace(/^JSON Parse error: /, '') : 'nested too deeply'
    throw new UnusableProofError(`this is not JSON: ${text.trim() === '' ? 'it is empty' : escapeInvisible(reason)}`)
  }
  const fault = findStrictJsonFault(text)
  if (fault !== undefined) throw new UnusableProofError(escapeInvisible(fault))
  return value
}

/** The proof itself, or the one inside an answer of the API or a part of it. */
function findCandidate(value: unknown): {
  readonly candidate: Record<string, unknown>
  readonly records: PortableFile['records']
} {
  const root = readObject(value)
  if (!root) throw new UnusableProofError('a portable proof is a JSON object')
  const data = readObject(root.data)
  const inData = readObject(data?.portableProof)
  if (data && inData) return { candidate: inData, records: [root, data] }
  const held = readObject(root.portableProof)
  if (held) return { candidate: held, records: [root] }
  if (root.success === false) throw new UnusableProofError('this is an error answer, not a portable proof')
  if (root.success === true || !(Object.hasOwn(root, 'signature') || Object.hasOwn(root, 'walletAddress')))
    throw new UnusableProofError(
      'there is no portable proof in it: it stands in data.portableProof of the answer to POST /api/v1/verification, and the owner of a proof that keeps its content can export it again',
    )
  return { candidate: root, records: [] }
}

const readObject = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined

const readChunks = (source: string, input: () => AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
  source === '-' ? input() : (createReadStream(source) as AsyncIterable<Uint8Array>)

/** Stops reading past the limit, so that no file and no pipe can fill the memory. Errors: UnusableProofError. */
export async function readProofText(source: string, input: () => AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of readChunks(source, input)) {
      size += chunk.length
      if (size > largestProofBytes)
        throw new UnusableProofError(`it is larger than ${largestProofBytes} bytes, the limit of a portable proof`)
      chunks.push(chunk)
    }
  } catch (error) {
    throw makeUnusableError(error)
  }
  return decodeText(Buffer.concat(chunks))
}

/**
 * The lines of a file of any length, of which each is bounded as a single proof is. An empty line is a line. Errors:
 * UnusableProofError.
 */
export async function* readProofLines(source: string, input: () => AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const lineFeed = 0x0a
  let rest: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of readChunks(source, input)) {
      let from = 0
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
        yield decodeText(Buffer.concat([...rest, chunk.subarray(from, end)]))
        rest = []
        size = 0
        from = end + 1
      }
      rest.push(chunk.subarray(from))
      size += chunk.length - from
      if (size > largestProofBytes)
        throw new UnusableProofError(`a line is longer than ${largestProofBytes} bytes, the limit of a portable proof`)
    }
  } catch (error) {
    throw makeUnusableError(error)
  }
  if (size > 0) yield decodeText(Buffer.concat(rest))
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UnusableProofError('it is not UTF-8 text')
  }
}

function makeUnusableError(error: unknown): UnusableProofError {
  if (error instanceof UnusableProofError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  return new UnusableProofError(unreadable[code] ?? `it cannot be read (${message})`)
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'this is a folder, not a file',
  EACCES: 'there is no permission to read it',
}
