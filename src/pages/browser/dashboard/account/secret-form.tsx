/** The form for a new secret. Its values stand in password fields, and the page forgets them once they are sealed. */

import { useState } from 'preact/hooks'
import { secrets as words } from '../../../words/en/account.ts'
import { dashboard as shared } from '../../../words/en/dashboard.ts'
import { formatCount } from '../../locale.ts'
import { callApi } from '../api.ts'
import { useAction } from '../load.ts'
import { Field, useFocus } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { type Secret, secretsPath } from './secret.ts'

interface Entry {
  readonly name: string
  readonly value: string
}

const mostBytes = 16_384
const aliasForm = /^[A-Za-z][A-Za-z0-9_]{0,63}$/

export function SecretForm({ onKept, onClose }: { onKept(secret: Secret): void; onClose(): void }) {
  const [alias, setAlias] = useState('')
  const [type, setType] = useState<'single' | 'bundle'>('single')
  const [value, setValue] = useState('')
  const [entries, setEntries] = useState<readonly Entry[]>([{ name: '', value: '' }])
  const [isTried, setTried] = useState(false)
  const field = useFocus<HTMLInputElement>()

  const filled = entries.filter((entry) => entry.name !== '' || entry.value !== '')
  const content =
    type === 'single' ? value : JSON.stringify(Object.fromEntries(filled.map((one) => [one.name, one.value])))
  const action = useAction(async () => {
    const { data } = await callApi<{ data: Secret }>('POST', secretsPath, { body: { alias, type, content } })
    onKept(data)
  })
  const aliasFault = aliasForm.test(alias) ? undefined : words.aliasFault
  const contentFault =
    (type === 'single' ? (value === '' ? words.empty : undefined) : findFault(filled)) ??
    (new TextEncoder().encode(content).length > mostBytes ? words.tooLarge(formatCount(mostBytes)) : undefined)
  const change = (index: number, part: Partial<Entry>) =>
    setEntries(entries.map((entry, at) => (at === index ? { ...entry, ...part } : entry)))

  return (
    <form
      class="panel"
      aria-label={words.newSecret}
      noValidate
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!aliasFault && !contentFault) void action.run()
      }}
    >
      <h2>{words.newSecret}</h2>
      <Field label={words.alias} hint={words.aliasHint} error={isTried ? aliasFault : undefined}>
        {(control) => (
          <input
            {...control}
            ref={field}
            type="text"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            placeholder="OPENAI_API_KEY"
            value={alias}
            onInput={(event) => setAlias(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label={words.kind}>
        {(control) => (
          <select
            {...control}
            value={type}
            onChange={(event) => setType(event.currentTarget.value as 'single' | 'bundle')}
          >
            <option value="single">{words.kindOne}</option>
            <option value="bundle">{words.kindSeveral}</option>
          </select>
        )}
      </Field>
      {type === 'single' ? (
        <Field label={words.value} error={isTried ? contentFault : undefined}>
          {(control) => <Hidden control={control} value={value} onValue={setValue} />}
        </Field>
      ) : (
        <fieldset>
          <legend>{words.values}</legend>
          {entries.map((entry, index) => (
            <div class="pair" key={index}>
              <Field label={words.nameNumber(index + 1)}>
                {(control) => (
                  <input
                    {...control}
                    type="text"
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck={false}
                    value={entry.name}
                    onInput={(event) => change(index, { name: event.currentTarget.value })}
                  />
                )}
              </Field>
              <Field label={words.valueNumber(index + 1)}>
                {(control) => (
                  <Hidden control={control} value={entry.value} onValue={(given) => change(index, { value: given })} />
                )}
              </Field>
            </div>
          ))}
          {isTried && contentFault && (
            <p class="hint wrong" role="alert">
              {contentFault}
            </p>
          )}
          <p>
            <button type="button" class="link" onClick={() => setEntries([...entries, { name: '', value: '' }])}>
              {words.more}
            </button>
          </p>
        </fieldset>
      )}
      <Problem error={action.error} />
      <div class="actions">
        <button type="submit" class="button" aria-disabled={action.isBusy}>
          {words.seal}
        </button>
        <button type="button" class="button secondary" onClick={onClose}>
          {shared.cancel}
        </button>
      </div>
    </form>
  )
}

function findFault(entries: readonly Entry[]): string | undefined {
  if (entries.length === 0) return words.noValue
  if (entries.some(({ name }) => name === '')) return words.noName
  const names = entries.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? undefined : words.twice(twice)
}

/** The field hides its value from autofill and from people who look over a shoulder. */
const Hidden = ({
  control,
  value,
  onValue,
}: {
  readonly control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }
  readonly value: string
  onValue(value: string): void
}) => (
  <input
    {...control}
    type="password"
    autocomplete="off"
    spellcheck={false}
    value={value}
    onInput={(event) => onValue(event.currentTarget.value)}
  />
)
