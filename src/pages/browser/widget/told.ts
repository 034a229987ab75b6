/** The result of a journey: told by the window, or by the address of this page. Both are unverified claims. */
import { isQHash } from './server.ts'
import { broughtBack, mark, type Target } from './target.ts'
import type { ProofGateDone } from './widget.d.ts'

/** The result before the server is asked. */
export type Told = Omit<ProofGateDone, 'checked'>

/** From a window of the server. Undefined for a message without a proof. */
export function hearWindow(message: Readonly<Record<string, unknown>>, server: URL, target: Target): Told | undefined {
  const { success, eligible, qHash, qHashes, walletAddress, verifierIds, agentId, agentWallet, code, state } = message
  if (!isQHash(qHash)) return undefined
  return {
    ...readProofs(qHash, Array.isArray(qHashes) ? qHashes : [], server, target),
    eligible: success === true && eligible === true,
    walletAddress: isText(walletAddress) ? walletAddress : null,
    verifierIds: Array.isArray(verifierIds) ? verifierIds.filter(isText) : [],
    via: 'popup',
    ...(isText(code) ? { code } : {}),
    ...(isText(state) ? { state } : {}),
    ...(isText(agentId) && isText(agentWallet) ? { agentId, agentWallet } : {}),
  }
}

/**
 * From the address of this page after a journey in this tab. It is removed from the address, so that it counts once.
 * Without a mark (a link of the site's own) it belongs to the only element. A page can forge this address.
 */
export function readAddressResult(server: URL, target: Target, isOnly: boolean): Told | undefined {
  const here = new URL(location.href)
  const { searchParams } = here
  const marked = searchParams.get(mark)
  const qHash = searchParams.get('qHash')
  if (!isQHash(qHash) || (marked === null ? !isOnly : marked !== target.value)) return undefined
  const qHashes = searchParams.get('qHashes')?.split(',') ?? []
  // Parameters with these names may belong to the site.
  const code = /^sc_/.test(searchParams.get('code') ?? '') && searchParams.get('code')
  const state = target.more.state && searchParams.get('state')
  const added = [...broughtBack, ...(code ? ['code'] : []), ...(state ? ['state'] : [])]
  for (const name of added) searchParams.delete(name)
  history.replaceState(history.state, '', here.href)
  return {
    ...readProofs(qHash, qHashes, server, target),
    eligible: null,
    walletAddress: null,
    verifierIds: [],
    via: 'redirect',
    ...(code ? { code } : {}),
    ...(state ? { state } : {}),
  }
}

function readProofs(qHash: string, all: readonly unknown[], server: URL, { kind, value }: Target) {
  const several = all.filter(isQHash)
  return {
    qHash,
    qHashes: several.includes(qHash) ? several : [qHash],
    gateId: kind === 'gateId' ? value : null,
    proofUrl: new URL(`proof/${qHash}`, server).href,
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
