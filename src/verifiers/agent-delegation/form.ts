/** The form of agent-delegation: the agent, and what it may do. A link can fill it in. */
import { makeElement } from '../../web/ui/dom.ts'
import { defineAgentIdField, instructionsMaxLength } from '../agent-identity/form.ts'
import { type Asked, anyAddress, type Field, keepPresent, type VerifierForm } from '../form.ts'

const splitWords = (text: string): string[] | undefined => {
  const words = text
    .split(/[\n,]/)
    .map((word) => word.trim())
    .filter(Boolean)
  return words.length === 0 ? undefined : words
}

/** As the input for moments has it: without a zone, in that of the person. */
const writeLocalMoment = (ms: number): string =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

const weekMs = 604_800_000

/** Names of NEAR have a dot, and its other accounts are longer than a key of Solana. */
function guessAgentChain(wallet: string, hubChainId: number): string {
  if (wallet.startsWith('0x')) return `eip155:${hubChainId}`
  return wallet.includes('.') || wallet.length > 44 ? 'near:mainnet' : 'solana:mainnet'
}

export const makeForm = ({ model, person, signerChain, agent }: Asked): VerifierForm => {
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
      defineAgentIdField(agentId, agent?.agentId),
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
        value: expiresAt === 0 ? '' : writeLocalMoment(expiresAt ?? model.now + weekMs),
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
      element: makeElement(
        'div',
        {},
        policies.length > 0 && makeElement('p', {}, 'The link adds these rules, which you sign as well:'),
        policies.length > 0 &&
          makeElement('pre', { class: 'code' }, JSON.stringify(Object.assign({}, ...policies), null, 1)),
        makeElement(
          'p',
          { class: 'notice warning' },
          'Whoever has the wallet of the agent can then act for you, as far as this says. Sign only if you know whose it is.',
        ),
      ),
    },
    data(values) {
      const until = values.given('expiresAt')
      const asked =
        expiresAt !== undefined && expiresAt > 0 && until === writeLocalMoment(expiresAt) ? expiresAt : undefined
      const wallet = values.text('agentWallet')
      return keepPresent({
        controllerWallet: person.address,
        controllerChainRef: signerChain,
        agentWallet: wallet,
        agentChainRef: agentChain ?? guessAgentChain(wallet, model.hubChainId),
        agentId: values.text('agentId'),
        scope: values.given('scope'),
        permissions: splitWords(values.text('permissions')),
        allowedActions: splitWords(values.text('allowedActions')),
        deniedActions: splitWords(values.text('deniedActions')),
        maxSpend: values.given('maxSpend'),
        expiresAt: until === undefined ? 0 : (asked ?? new Date(until).getTime()),
        instructions: values.given('instructions'),
        runtimePolicy: plan.runtimePolicy,
        approvalPolicy: plan.approvalPolicy,
      })
    },
  }
}
