/** The list of all verifiers, and the catalog of those a deployment offers. */
import type { Outside } from '../outside/outside.ts'
import { agentDelegation } from './agent-delegation/rule.ts'
import { agentIdentity } from './agent-identity/rule.ts'
import { aiContentModeration } from './ai-content-moderation/rule.ts'
import {
  type AccessLevel,
  describeSwitch,
  findUnknown,
  listChosen,
  listSwitchedOff,
  type SwitchedOff,
  type VerifierChoice,
} from './choice.ts'
import { contractOwnership } from './contract-ownership/rule.ts'
import { nftOwnership } from './nft-ownership/rule.ts'
import { ownershipBasic } from './ownership-basic/rule.ts'
import { ownershipDnsTxt } from './ownership-dns-txt/rule.ts'
import { ownershipLicensed } from './ownership-licensed/rule.ts'
import { ownershipOrgOauth } from './ownership-org-oauth/rule.ts'
import { ownershipPseudonym } from './ownership-pseudonym/rule.ts'
import { ownershipSocial } from './ownership-social/rule.ts'
import { proofOfHuman } from './proof-of-human/rule.ts'
import { tokenHolding } from './token-holding/rule.ts'
import type { Verifier } from './verifier.ts'
import { walletLink } from './wallet-link/rule.ts'
import { walletRisk } from './wallet-risk/rule.ts'

/** Every verifier of this build, in catalog order. To add one, write its folder and list it here. */
export const verifiers: readonly Verifier[] = [
  ownershipBasic,
  ownershipSocial,
  ownershipPseudonym,
  ownershipDnsTxt,
  ownershipOrgOauth,
  ownershipLicensed,
  contractOwnership,
  nftOwnership,
  tokenHolding,
  walletRisk,
  walletLink,
  proofOfHuman,
  aiContentModeration,
  agentIdentity,
  agentDelegation,
]

export interface Catalog {
  readonly enabled: ReadonlyMap<string, Verifier>
  /** All verifiers of this build: a proof of one that was later switched off still follows its rules. */
  readonly known: ReadonlyMap<string, Verifier>
  /** The verifiers that the operator switched off, with the setting. */
  readonly switchedOff: readonly SwitchedOff[]
  accessLevel(id: string): AccessLevel
  /** Whether the operator chose to leave out a known verifier. Otherwise, an absent one lacks configuration. */
  isSwitchedOff(id: string): boolean
  /** Why an id is not in the catalog, and the remedy. For programs and logs: pages have words of their own. */
  absence(id: string): string
}

/** A setting that names a verifier this build does not know. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError'
}

/** Tests may pass another list as `all`. Throws CatalogError at start-up, not at the first request. */
export function openCatalog(choice: VerifierChoice, outside: Outside, all: readonly Verifier[] = verifiers): Catalog {
  const byId = new Map(all.map((verifier) => [verifier.id, verifier]))
  if (byId.size !== all.length) throw new CatalogError('two verifiers share an id')
  const unknown = findUnknown([...byId.keys()], choice)
  if (unknown.length > 0)
    throw new CatalogError(unknown.map(({ setting, problem }) => `${setting}: ${problem}`).join('\n'))

  const wantedIds = listChosen(all, choice)
  const lacks = (id: string): string | undefined => byId.get(id)?.absentWithout?.(outside)
  const enabled = new Map(wantedIds.filter((id) => !lacks(id)).map((id) => [id, byId.get(id)!]))
  return {
    enabled,
    known: byId,
    switchedOff: listSwitchedOff(all, choice),
    accessLevel: (id) => choice.access[id] ?? 'public',
    isSwitchedOff: (id) => byId.has(id) && !wantedIds.includes(id),
    absence(id) {
      const verifier = byId.get(id)
      const lack = lacks(id)
      if (verifier && !wantedIds.includes(id))
        return `"${id}" is switched off here: ${describeSwitch(verifier, choice)}${lack === undefined ? '' : `; it also ${lack}`}`
      if (verifier) return `"${id}" is not offered here: it ${lack}`
      return `there is no verifier "${id}". Enabled here: ${[...enabled.keys()].join(', ') || 'none'}`
    },
  }
}

/** Every verifier of this build, by id. */
export const knownVerifiers: ReadonlyMap<string, Verifier> = new Map(verifiers.map((one) => [one.id, one]))

/** The ids of every verifier of this build, in catalog order. */
export const verifierIds: readonly string[] = [...knownVerifiers.keys()]
