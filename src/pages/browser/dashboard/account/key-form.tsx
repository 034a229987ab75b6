/** The form for a new key: its name and its permissions. It keeps its input when creating the key fails. */

import { useState } from 'preact/hooks'
import { keys as words } from '../../../words/en/account.ts'
import { dashboard as shared } from '../../../words/en/dashboard.ts'
import { callApi } from '../api.ts'
import { useAction } from '../load.ts'
import { Field, useFocus } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import type { MadeKey } from './key.ts'
import { describeScope, scopes } from './scopes.tsx'

const longestName = 80

export function KeyForm({ onMade, onClose }: { onMade(made: MadeKey): void; onClose(): void }) {
  const [name, setName] = useState('')
  const [allowed, setAllowed] = useState<readonly string[]>(['core'])
  const [isTried, setTried] = useState(false)
  const field = useFocus<HTMLInputElement>()
  const action = useAction(async () => {
    const asked = { body: { name: name.trim(), scopes: allowed } }
    onMade((await callApi<{ data: MadeKey }>('POST', '/api/v1/auth/profile-keys', asked)).data)
  })
  const nameFault = name.trim() === '' ? words.nameFault : undefined
  const scopeFault = allowed.length === 0 ? words.scopeFault : undefined
  return (
    <form
      class="panel"
      aria-label={words.newKey}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!nameFault && !scopeFault) void action.run()
      }}
    >
      <h2>{words.newKey}</h2>
      <Field label={words.name} hint={words.nameHint} error={isTried ? nameFault : undefined}>
        {(control) => (
          <input
            {...control}
            ref={field}
            type="text"
            class="words"
            maxLength={longestName}
            autocomplete="off"
            dir="auto"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <fieldset>
        <legend>{words.may}</legend>
        {scopes.map((scope) => (
          <div class="field tick" key={scope}>
            <input
              type="checkbox"
              id={`scope-${scope}`}
              checked={allowed.includes(scope)}
              onChange={({ currentTarget: { checked } }) =>
                setAllowed(checked ? [...allowed, scope] : allowed.filter((one) => one !== scope))
              }
            />
            <label for={`scope-${scope}`}>{describeScope(scope)}</label>
          </div>
        ))}
        {isTried && scopeFault && (
          <p class="hint wrong" role="alert">
            {scopeFault}
          </p>
        )}
      </fieldset>
      <Problem error={action.error} />
      <div class="actions">
        <button type="submit" class="button" aria-disabled={action.isBusy}>
          {words.make}
        </button>
        <button type="button" class="button secondary" onClick={onClose}>
          {shared.cancel}
        </button>
      </div>
    </form>
  )
}
