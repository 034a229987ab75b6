/** Which form each verifier has. Those that lead elsewhere are in interactive.ts. */
import { agentDelegation, agentIdentity } from './agent-forms.ts'
import { contract, nft, risk, token } from './chain-forms.ts'
import { basic, moderation } from './content-forms.ts'
import { domain, pseudonym } from './name-forms.ts'
import { schemaForm } from './schema-form.ts'
import type { Asked, VerifierForm } from './verifier-form.ts'

const forms: Readonly<Record<string, (asked: Asked) => VerifierForm>> = {
  'ownership-basic': basic,
  'ownership-pseudonym': pseudonym,
  'ownership-dns-txt': domain,
  'contract-ownership': contract,
  'nft-ownership': nft,
  'token-holding': token,
  'wallet-risk': risk,
  'ai-content-moderation': moderation,
  'agent-identity': agentIdentity,
  'agent-delegation': agentDelegation,
}

/** From the catalog's schema where the verifier has no form of its own. */
export function formFor(verifierId: string, asked: Asked): VerifierForm {
  const make = Object.hasOwn(forms, verifierId) ? forms[verifierId] : undefined
  return withFixed((make ?? schemaForm)(asked), asked.fixed)
}

/** What a gate demands stands in its field, and cannot be changed there. */
const withFixed = (form: VerifierForm, fixed: Asked['fixed']): VerifierForm => ({
  ...form,
  fields: form.fields.map((field) => {
    const value = fixed[field.name]
    return value === undefined ? field : { ...field, value, isFixed: true }
  }),
})
