/** Fetches the list of releases and verifies it: its signature, what that says, and that no newer one was seen. */
import type { Config } from '../config/schema.ts'
import { download } from '../outside/http/download.ts'
import { verifySignature } from './minisign.ts'
import { type PublicKey, writeKeyId } from './minisign-text.ts'
import { requireReleaseKey } from './release-key.ts'
import { parseReleaseList, ReleaseError, type ReleaseList, writeListComment } from './release-list.ts'
import { rememberList, requireNotOlder } from './seen-list.ts'

const urlSetting = 'updates.url'
/** For messages: which of the files did not come. */
export const sources = {
  listSignature: `the signature beside ${urlSetting} (.minisig)`,
  file: `the file of the release that ${urlSetting} lists`,
  fileSignature: `the signature beside the file of the release that ${urlSetting} lists (.minisig)`,
} as const
const mostListBytes = 1_048_576
export const mostSignatureBytes = 16_384

export interface FetchedList {
  readonly list: ReleaseList
  readonly url: URL
  readonly publicKey: PublicKey
  /** Whether its serial is kept, so that an older list is refused from now on. */
  readonly isRemembered: boolean
}

/** `folder`: the data folder, if there is one. Errors: ReleaseError, MinisignError, OutsideError. */
export async function fetchReleaseList(
  { updates, outside }: Pick<Config, 'updates' | 'outside'>,
  folder: string | undefined,
): Promise<FetchedList> {
  if (updates.url === undefined)
    throw new ReleaseError(
      'no list of releases is configured, so nothing was called: set updates.url (PROOFGATE_UPDATES_URL) to the address of the list of whoever publishes your build',
    )
  const publicKey = requireReleaseKey(updates.publicKey)
  const url = new URL(updates.url)
  const limits = { silenceMs: outside.timeoutSeconds * 1000, privateNetworks: outside.privateNetworks }
  const [content, signature] = await Promise.all([
    download(urlSetting, url, { ...limits, maxBytes: mostListBytes }),
    download(sources.listSignature, addSignatureEnd(url), { ...limits, maxBytes: mostSignatureBytes }),
  ])
  const { trustedComment } = verifySignature(new TextDecoder().decode(signature), content, publicKey)
  const list = parseReleaseList(new TextDecoder().decode(content))
  if (trustedComment !== writeListComment(list))
    throw new ReleaseError(
      `the signature is of "${trustedComment}", and the list of releases says "${writeListComment(list)}"`,
    )
  const keyId = writeKeyId(publicKey.keyId)
  if (folder !== undefined) requireNotOlder(folder, keyId, list)
  return { list, url, publicKey, isRemembered: folder !== undefined && rememberList(folder, keyId, list) }
}

/** The signature lies beside the content: `.minisig` follows the path, before a query. */
export function addSignatureEnd(url: URL): URL {
  const signature = new URL(url)
  signature.pathname += '.minisig'
  return signature
}
