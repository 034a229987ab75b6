/** The form for the rewards of a gate. Values are secret: they go to the server, which returns them to buyers alone. */
import { gateForm as words } from '../../../words/en/gate-form.ts'
import { changeMembers, type Finding, type Reward, type RewardKind } from './definition.ts'
import { SelectField, TextField } from './fields.tsx'
import { findFault } from './preview.ts'

const kinds = Object.entries(words.rewards.kinds) as [RewardKind, string][]

export function RewardForm({
  reward,
  at,
  findings,
  onChange,
  onRemove,
}: {
  readonly reward: Reward
  readonly at: number
  readonly findings: readonly Finding[]
  onChange(reward: Reward): void
  onRemove(): void
}) {
  const { kind, value = '', valueFrom, label = '', message = '' } = reward
  const path = `rewards[${at}]`
  const title = kinds.find(([one]) => one === kind)?.[1] ?? kind
  const setKind = (next: string) =>
    onChange(
      changeMembers(reward, {
        kind: next as RewardKind,
        value: next === 'access_granted' ? undefined : value,
        valueFrom: undefined,
      }),
    )
  return (
    <fieldset class="card-form">
      <legend>{title}</legend>
      <button type="button" class="link remove" onClick={onRemove}>
        {words.form.remove} <span class="visually-hidden">{title}</span>
      </button>
      <SelectField
        label={words.reward.kind}
        hint={kind === 'access_granted' && message === '' ? words.form.noReward : undefined}
        value={kind}
        options={kinds}
        onChange={setKind}
      />
      {kind !== 'access_granted' && valueFrom !== undefined && (
        <div class="kept">
          <p>{words.rewards.kept(<strong>{words.rewards.values[kind]}</strong>, valueFrom.version)}</p>
          <button
            type="button"
            class="button secondary small"
            onClick={() => onChange(changeMembers(reward, { valueFrom: undefined, value: '' }))}
          >
            {words.rewards.replace}
          </button>
        </div>
      )}
      {kind !== 'access_granted' && valueFrom === undefined && (
        <TextField
          label={words.rewards.values[kind]}
          hint={kind === 'reveal' ? words.rewards.textHint : words.rewards.linkHint}
          error={findFault(findings, `${path}.value`) ?? findFault(findings, `${path}.valueFrom`)}
          value={value}
          maxLength={16_384}
          {...(kind === 'reveal' ? { rows: 4 } : { code: true })}
          onChange={(text) => onChange(changeMembers(reward, { value: text }))}
        />
      )}
      <TextField
        label={words.reward.label}
        hint={words.rewards.labelHint}
        optional
        maxLength={200}
        error={findFault(findings, `${path}.label`)}
        value={label}
        onChange={(text) => onChange(changeMembers(reward, { label: text || undefined }))}
      />
      <TextField
        label={words.reward.message}
        hint={words.rewards.messageHint}
        optional
        rows={2}
        maxLength={2000}
        error={findFault(findings, `${path}.message`)}
        value={message}
        onChange={(text) => onChange(changeMembers(reward, { message: text || undefined }))}
      />
    </fieldset>
  )
}
