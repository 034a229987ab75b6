/** The form for the rewards of a gate. Values are secret: they go to the server, which returns them to buyers alone. */
import { gates as words } from '../../../words/en/gates.ts'
import { changeMembers, type Finding, type Reward, type RewardKind } from './definition.ts'
import { SelectField, TextField } from './fields.tsx'
import { findFault } from './preview.ts'

const kinds: readonly (readonly [RewardKind, string])[] = [
  ['access_granted', 'Access, and nothing more'],
  ['reveal', 'A secret text'],
  ['redirect', 'An address to go to'],
  ['download', 'Something to download'],
]

const valueWords: Readonly<Record<Exclude<RewardKind, 'access_granted'>, readonly [label: string, hint: string]>> = {
  reveal: ['The text', 'Shown to whoever passes, and to nobody else. You do not see it here again.'],
  redirect: ['The address', 'Told to whoever passes, and to nobody else. It begins with https://'],
  download: ['The address of the file', 'Told to whoever passes, and to nobody else. It begins with https://'],
}

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
        Remove <span class="visually-hidden">{title}</span>
      </button>
      <SelectField label="What they get" value={kind} options={kinds} onChange={setKind} />
      {kind !== 'access_granted' && valueFrom !== undefined && (
        <div class="kept">
          <p>
            <strong>{valueWords[kind]?.[0]}</strong> stays as it is in version {valueFrom.version}. Nobody is shown it
            but those who pass.
          </p>
          <button
            type="button"
            class="button secondary small"
            onClick={() => onChange(changeMembers(reward, { valueFrom: undefined, value: '' }))}
          >
            Give another one
          </button>
        </div>
      )}
      {kind !== 'access_granted' && valueFrom === undefined && (
        <TextField
          label={valueWords[kind]?.[0] ?? 'Value'}
          hint={valueWords[kind]?.[1]}
          error={findFault(findings, `${path}.value`) ?? findFault(findings, `${path}.valueFrom`)}
          value={value}
          maxLength={16_384}
          {...(kind === 'reveal' ? { rows: 4 } : { code: true })}
          onChange={(text) => onChange(changeMembers(reward, { value: text }))}
        />
      )}
      <TextField
        label={words.reward.label}
        hint="Everybody who sees the gate sees this."
        optional
        maxLength={200}
        error={findFault(findings, `${path}.label`)}
        value={label}
        onChange={(text) => onChange(changeMembers(reward, { label: text || undefined }))}
      />
      <TextField
        label="A message with it"
        hint="For whoever passes."
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
