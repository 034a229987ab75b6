/** The forms of an agent and of what it may do. A link can fill them in (verify-request.ts). */
import { el } from './dom.ts'
import type { Field } from './form.ts'
import { chainOf } from './person.ts'
import { type Asked, anyAddress, present, type VerifierForm } from './verifier-form.ts'

const agentIdField = (value: string | undefined, known?: string): Field => ({
  name: 'agentId',
  label: 'Id of the agent',
  isRequired: true,
  isKept: true,
  maxLength: 128,
  ...(value === undefined
    ? { hint: 'Any name by which you know it.', ...(known === undefined ? {} : { value: known }) }
    : { value, isFixed: true }),
})

const instructionsMaxLength = 16_000

export const agentIdentity = ({ model, person }: Asked): VerifierForm => {
  const { agentId, agentLabel, agentType } = model.request.agent ?? {}
  return {
    submit: 'Sign as the agent',
    fields: [
      agentIdField(agentId),
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
      present({
        agentId: values.text('agentId'),
        agentWallet: person.address,
        agentChainRef: chainOf(person, model.hubChainId),
        agentLabel: values.given('agentLabel'),
        agentType: values.given('agentType'),
        description: values.given('description'),
        instructions: values.given('instructions'),
      }),
  }
}

const wordsIn = (text: string): string[] | undefined => {
  const words = text
    .split(/[\n,]/)
    .map((word) => word.trim())
    .filter(Boolean)
  return words.length === 0 ? undefined : words
}

/** As the input for moments has it: without a zone, in that of the person. */
const localMoment = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

const weekMs = 604_800_000

export const agentDelegation = ({ model, person, agent }: Asked): VerifierForm => {
  const plan = model.request.agent ?? {}
  const { agentId, agentWallet, agentChain, scope, expiresAt, maxSpend, permissions, allowedActions, deniedActions } =
    plan
  const list = (name: string, label: string, value: readonly string[] | undefined): Field => ({
    name,
    label,
    kind: 'area',
    rows: 2,
    isKept: true,
    hint: 'One in each line.',
    ...(value ? { value: value.join('\n') } : {}),
  })
  const policies = [plan.runtimePolicy, plan.approvalPolicy].filter((policy) => policy !== undefined)
  return {
    submit: 'Sign the permission',
    fields: [
      agentIdField(agentId, agent?.agentId),
      {
        name: 'agentWallet',
        label: 'Wallet of the agent',
        isRequired: true,
        isKept: true,
        maxLength: 64,
        pattern: anyAddress,
        mustBe: 'must be a wallet address',
        ...(agentWallet === undefined ? agent && { value: agent.agentWallet } : { value: agentWallet, isFixed: true }),
      },
      { name: 'scope', label: 'For what', maxLength: 128, isKept: true, value: scope ?? 'global' },
      list('permissions', 'Permissions', permissions),
      list('allowedActions', 'What it may do', allowedActions),
      list('deniedActions', 'What it may not do', deniedActions),
      {
        name: 'maxSpend',
        label: 'Most that it may spend at once',
        isKept: true,
        maxLength: 78,
        pattern: /^[0-9]{1,78}$/,
        mustBe: 'must be a whole number',
        hint: 'In base units of the token, per payment.',
        ...(maxSpend === undefined ? {} : { value: maxSpend }),
      },
      {
        name: 'expiresAt',
        label: 'Until',
        kind: 'moment',
        isKept: true,
        hint: 'Empty: until you revoke it.',
        value: expiresAt === 0 ? '' : localMoment(expiresAt ?? model.now + weekMs),
      },
      {
        name: 'instructions',
        label: 'Instructions',
        kind: 'area',
        maxLength: instructionsMaxLength,
        hint: 'At most 16,000 characters.',
      },
    ],
    more: {
      element: el(
        'div',
        {},
        policies.length > 0 && el('p', {}, 'The link adds these rules, which you sign as well:'),
        policies.length > 0 && el('pre', { class: 'code' }, JSON.stringify(Object.assign({}, ...policies), null, 1)),
        el(
          'p',
          { class: 'notice warning' },
          'Whoever has the wallet of the agent can then act for you, as far as this says. Sign only if you know whose it is.',
        ),
      ),
    },
    data(values) {
      const until = values.given('expiresAt')
      const asked = expiresAt !== undefined && expiresAt > 0 && until === localMoment(expiresAt) ? expiresAt : undefined
      const wallet = values.text('agentWallet')
      return present({
        controllerWallet: person.address,
        controllerChainRef: chainOf(person, model.hubChainId),
        agentWallet: wallet,
        agentChainRef: agentChain ?? (wallet.startsWith('0x') ? `eip155:${model.hubChainId}` : 'solana:mainnet'),
        agentId: values.text('agentId'),
        scope: values.given('scope'),
        permissions: wordsIn(values.text('permissions')),
        allowedActions: wordsIn(values.text('allowedActions')),
        deniedActions: wordsIn(values.text('deniedActions')),
        maxSpend: values.given('maxSpend'),
        expiresAt: until === undefined ? 0 : (asked ?? new Date(until).getTime()),
        instructions: values.given('instructions'),
        runtimePolicy: plan.runtimePolicy,
        approvalPolicy: plan.approvalPolicy,
      })
    },
  }
}
