/**
 * The forms that the verification page has for its verifiers, each loaded when it is shown. Verifiers that are not in
 * the list get a form from the schema of their data.
 */
import type { Asked, VerifierForm } from './form.ts'

interface FormFile {
  makeForm(asked: Asked): VerifierForm
}

export const forms: Readonly<Record<string, () => Promise<FormFile>>> = {
  'ownership-basic': () => import('./ownership-basic/form.ts'),
  'ownership-pseudonym': () => import('./ownership-pseudonym/form.ts'),
  'ownership-dns-txt': () => import('./ownership-dns-txt/form.ts'),
  'contract-ownership': () => import('./contract-ownership/form.ts'),
  'nft-ownership': () => import('./nft-ownership/form.ts'),
  'token-holding': () => import('./token-holding/form.ts'),
  'wallet-risk': () => import('./wallet-risk/form.ts'),
  'ai-content-moderation': () => import('./ai-content-moderation/form.ts'),
  'agent-identity': () => import('./agent-identity/form.ts'),
  'agent-delegation': () => import('./agent-delegation/form.ts'),
}

/** Persons are shown by a provider that the page asks the server for first (pages/browser/interactive.ts). */
export const loadHumanForm = () => import('./proof-of-human/form.ts')
export type { HumanProvider } from './proof-of-human/form.ts'

/** A link has two signers: the page asks the second wallet first (pages/browser/link-view.ts). */
export const loadLinkForm = () => import('./wallet-link/form.ts')
