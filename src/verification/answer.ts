/** The answer to an accepted request: the owner's view of the proof, and the portable form to take away. */
import { Type } from '@sinclair/typebox'
import { makeLocalReceipt, makeReceipt, type NotPortable } from '../envelope/portable-proof.ts'
import { describeAnswer } from '../http/describe.ts'
import type { Parts } from '../parts.ts'
import { readStatus } from '../proofs/proof.ts'
import { makeViewTools } from '../proofs/read.ts'
import { buildProofView, ProofView } from '../proofs/view.ts'
import { Warnings, warnAboutOptions } from './options.ts'
import type { VerificationRequest } from './request.ts'
import type { Submitted } from './submit.ts'

export const Receipt = Type.Object({
  format: Type.String({ description: 'caip-380-envelope, or <brand>-receipt where portable is false.' }),
  portable: Type.Boolean({
    description:
      'Whether portableProof is there. false for a claim that was not signed, and for one that was signed under an older first line (signing.accepted_titles), which the portable form cannot carry.',
  }),
})

export const CreditInfo = Type.Object({
  creditsUsed: Type.Integer(),
  billing: Type.String({ description: "off: a server of one's own charges nothing for checks." }),
})

export const Created = describeAnswer({
  status: Type.String(),
  message: Type.String(),
  data: Type.Composite([ProofView, Type.Object({ receipt: Receipt })]),
  creditInfo: CreditInfo,
  warnings: Warnings,
})

/** Checks cost nothing on one's own server. */
const creditInfo = { creditsUsed: 0, billing: 'off' }

/** `isComplete` is false while the proof is still being recorded on chains. */
export async function answerCreated(parts: Parts, submitted: Submitted, request: VerificationRequest) {
  const { proof, content, portable: portableProof, notPortable = 'unsigned' } = submitted
  const now = parts.now()
  const status = readStatus(proof, now)
  const view = buildProofView(proof, 'owner', await makeViewTools(parts, now, [proof]), content)
  const warnings = warnAboutOptions(request)
  const isComplete = view.crosschain?.completed !== null
  return {
    isComplete,
    answer: {
      success: true,
      status,
      message: `${writeMessage(status, submitted.alreadyStored, isComplete)}${portableProof ? '' : portabilityNotes[notPortable]}`,
      data: {
        ...view,
        ...(portableProof
          ? { receipt: makeReceipt(portableProof), portableProof }
          : { receipt: makeLocalReceipt(parts.config.brand) }),
      },
      creditInfo,
      ...(warnings ? { warnings } : {}),
    },
  }
}

const portabilityNotes: Readonly<Record<NotPortable, string>> = {
  unsigned: '',
  'older-title':
    '. It has no portable form, because the text was signed under an older first line: sign the text that standardize gives',
  'older-title-within':
    '. It has no portable form, because the second wallet signed under an older first line: let it sign the text that standardize gives',
}

function writeMessage(status: string, alreadyStored: boolean, isComplete: boolean): string {
  if (alreadyStored) return 'This request was accepted before; this is the proof it made'
  const found = status === 'partially_verified' ? 'Some of the verifiers hold' : 'Verification completed'
  return isComplete ? found : `${found}; it is being recorded on chains, and proofUrl tells how far that has come`
}
