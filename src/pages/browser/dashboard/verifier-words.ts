/** Names of verifiers and proofs, by the words that the server handed to the page. */
import type { ProofView } from '../../../proofs/view.ts'
import * as verifierWords from '../../verifier-words.ts'
import { dashboard as words } from '../../words/en/dashboard.ts'
import { model } from './model.ts'

export const findWords = (verifierId: string): verifierWords.ShownVerifier =>
  verifierWords.findWords(model.verifiers, verifierId)

/** Every verifier of this build. */
export const titles: readonly (readonly [id: string, title: string])[] = Object.entries(model.verifiers).map(
  ([id, { title }]) => [id, title],
)

export const nameProof = (proof: Parameters<typeof verifierWords.nameProof>[0]): string =>
  verifierWords.nameProof(proof, model.verifiers, words.claims)

/** Empty where there is nothing to say beyond the titles of its verifiers. */
export const summarizeProof = (proof: Pick<ProofView, 'verifiedVerifiers'>): string =>
  verifierWords.summarizeProof(proof, model.verifiers)
