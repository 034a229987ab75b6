/** The name of bytes on IPFS, computed here so that no other party must be trusted: CIDv1 of one raw block, SHA-256. */
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { sha256 } from 'multiformats/hashes/sha2'
import { largestSnapshotBytes } from './ipfs.ts'

export async function computeContentId(bytes: Uint8Array): Promise<CID> {
  if (bytes.length > largestSnapshotBytes)
    throw new Error(`a snapshot of ${bytes.length} bytes does not fit into one block of ${largestSnapshotBytes}`)
  return CID.createV1(raw.code, await sha256.digest(bytes))
}

/** In whatever base it is written. */
export function isSameContentId(cid: CID, text: string): boolean {
  try {
    return CID.parse(text).equals(cid)
  } catch {
    return false
  }
}
