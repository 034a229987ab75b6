/** The form of agent-delegation: the agent, and what it may do. A link can fill it in. */
import { makeElement } from '../../web/ui/dom.ts'
import { defineAgentIdField, instructionsMaxLength } from '../agent-identity/form.ts'
import { type Asked, anyAddress, type Field, keepPresent, type VerifierForm } from '../form.ts'
import { form as words } from './words/en.ts'

const splitEntries = (text: string): string[] | undefined => {
  const entries = text
    .split(/[\n,]/)
    .map((entry) => entry.trim())
    .filter(Boolean)
  return entries.length === 0 ? undefined : entries
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
    hint: words.onePerLine,
    ...(value ? { value: value.join('\n') } : {}),
  })
  const policies = [plan.runtimePolicy, plan.approvalPolicy].filter((policy) => policy !== undefined)
  return {
    submit: words.submit,
    fields: [
      defineAgentIdField(agentId, agent?.agentId),
      {
        name: 'agentWallet',
        label: words.agentWallet,
        isRequired: true,
        isKept: true,
        maxLength: 64,
        pattern: anyAddress,
        mustBe: words.agentWalletMustBe,
        ...(agentWallet === undefined ? agent && { value: agent.agentWallet } : { value: agentWallet, isFixed: true }),
      },
      { name: 'scope', label: words.scope, maxLength: 128, isKept: true, value: scope ?? 'global' },
      list('permissions', words.permissions, permissions),
      list('allowedActions', words.allowedActions, allowedActions),
      list('deniedActions', words.deniedActions, deniedActions),
      {
        name: 'maxSpend',
        label: words.maxSpend,
        isKept: true,
        maxLength: 78,
        pattern: /^[0-9]{1,78}$/,
        mustBe: words.maxSpendMustBe,
        hint: words.maxSpendHint,
        ...(maxSpend === undefined ? {} : { value: maxSpend }),
      },
      {
        name: 'expiresAt',
        label: words.until,
        kind: 'moment',
        isKept: true,
        hint: words.untilHint,
        value: expiresAt === 0 ? '' : writeLocalMoment(expiresAt ?? model.now + weekMs),
      },
      {
        name: 'instructions',
        label: words.instructions,
        kind: 'area',
        maxLength: instructionsMaxLength,
        hint: words.instructionsHint,
      },
    ],
    more: {
      element: makeElement(
        'div',
        {},
        policies.length > 0 && makeElement('p', {}, words.policies),
        policies.length > 0 &&
          makeElement('pre', { class: 'code' }, JSON.stringify(Object.assign({}, ...policies), null, 1)),
        makeElement('p', { class: 'notice warning' }, words.warning),
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
        permissions: splitEntries(values.text('permissions')),
        allowedActions: splitEntries(values.text('allowedActions')),
        deniedActions: splitEntries(values.text('deniedActions')),
        maxSpend: values.given('maxSpend'),
        expiresAt: until === undefined ? 0 : (asked ?? new Date(until).getTime()),
        instructions: values.given('instructions'),
        runtimePolicy: plan.runtimePolicy,
        approvalPolicy: plan.approvalPolicy,
      })
    },
  }
}
