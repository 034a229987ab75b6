/** The forms that the verification page has for its verifiers. The others get one from the schema of their data. */
import { makeForm as agentDelegation } from './agent-delegation/form.ts'
import { makeForm as agentIdentity } from './agent-identity/form.ts'
import { makeForm as aiContentModeration } from './ai-content-moderation/form.ts'
import { makeForm as contractOwnership } from './contract-ownership/form.ts'
import type { Asked, VerifierForm } from './form.ts'
import { makeForm as nftOwnership } from './nft-ownership/form.ts'
import { makeForm as ownershipBasic } from './ownership-basic/form.ts'
import { makeForm as ownershipDnsTxt } from './ownership-dns-txt/form.ts'
import { makeForm as ownershipPseudonym } from './ownership-pseudonym/form.ts'
import { makeForm as tokenHolding } from './token-holding/form.ts'
import { makeForm as walletRisk } from './wallet-risk/form.ts'

export const forms: Readonly<Record<string, (asked: Asked) => VerifierForm>> = {
  'ownership-basic': ownershipBasic,
  'ownership-pseudonym': ownershipPseudonym,
  'ownership-dns-txt': ownershipDnsTxt,
  'contract-ownership': contractOwnership,
  'nft-ownership': nftOwnership,
  'token-holding': tokenHolding,
  'wallet-risk': walletRisk,
  'ai-content-moderation': aiContentModeration,
  'agent-identity': agentIdentity,
  'agent-delegation': agentDelegation,
}

/** Persons are shown by a provider that the page asks the server for first (pages/browser/interactive.ts). */
export {
  type HumanProvider,
  makeForm as makeHumanForm,
  writeProvidersPath as writeHumanProvidersPath,
} from './proof-of-human/form.ts'
