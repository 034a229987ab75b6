/** The form of agent-identity. A link can fill it in. */
import { type Asked, type Field, keepPresent, type VerifierForm } from '../form.ts'
import { form as words } from './words/en.ts'

export const defineAgentIdField = (value: string | undefined, known?: string): Field => ({
  name: 'agentId',
  label: words.agentId,
  isRequired: true,
  isKept: true,
  maxLength: 128,
  ...(value === undefined
    ? { hint: words.agentIdHint, ...(known === undefined ? {} : { value: known }) }
    : { value, isFixed: true }),
})

export const instructionsMaxLength = 16_000

export const makeForm = ({ model, person, signerChain }: Asked): VerifierForm => {
  const { agentId, agentLabel, agentType } = model.request.agent ?? {}
  return {
    submit: words.submit,
    fields: [
      defineAgentIdField(agentId),
      {
        name: 'agentLabel',
        label: words.name,
        maxLength: 128,
        isKept: true,
        ...(agentLabel === undefined ? {} : { value: agentLabel }),
      },
      {
        name: 'agentType',
        label: words.kind,
        kind: 'choice',
        isRequired: true,
        isKept: true,
        options: Object.entries(words.kinds),
        value: agentType ?? 'ai',
      },
      { name: 'description', label: words.description, kind: 'area', maxLength: 500, isKept: true },
      {
        name: 'instructions',
        label: words.instructions,
        kind: 'area',
        maxLength: instructionsMaxLength,
        hint: words.instructionsHint,
      },
    ],
    data: (values) =>
      keepPresent({
        agentId: values.text('agentId'),
        agentWallet: person.address,
        agentChainRef: signerChain,
        agentLabel: values.given('agentLabel'),
        agentType: values.given('agentType'),
        description: values.given('description'),
        instructions: values.given('instructions'),
      }),
  }
}
