/** The form of agent-identity. A link can fill it in. */
import { type Asked, type Field, keepPresent, type VerifierForm } from '../form.ts'

export const defineAgentIdField = (value: string | undefined, known?: string): Field => ({
  name: 'agentId',
  label: 'Id of the agent',
  isRequired: true,
  isKept: true,
  maxLength: 128,
  ...(value === undefined
    ? { hint: 'Any name by which you know it.', ...(known === undefined ? {} : { value: known }) }
    : { value, isFixed: true }),
})

export const instructionsMaxLength = 16_000

export const makeForm = ({ model, person, signerChain }: Asked): VerifierForm => {
  const { agentId, agentLabel, agentType } = model.request.agent ?? {}
  return {
    submit: 'Sign as the agent',
    fields: [
      defineAgentIdField(agentId),
      {
        name: 'agentLabel',
        label: 'Name',
        maxLength: 128,
        isKept: true,
        ...(agentLabel === undefined ? {} : { value: agentLabel }),
      },
      {
        name: 'agentType',
        label: 'Kind',
        kind: 'choice',
        isRequired: true,
        isKept: true,
        options: ['ai', 'agent', 'bot', 'service', 'automation'].map((kind) => [kind, kind] as const),
        value: agentType ?? 'ai',
      },
      { name: 'description', label: 'What it does', kind: 'area', maxLength: 500, isKept: true },
      {
        name: 'instructions',
        label: 'Instructions',
        kind: 'area',
        maxLength: instructionsMaxLength,
        hint: 'At most 16,000 characters. Whoever sees the proof sees them.',
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
