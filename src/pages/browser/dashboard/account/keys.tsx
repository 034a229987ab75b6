/** Access keys: made, shown once, used, revoked. */

import { useState } from 'preact/hooks'
import { keys as words } from '../../../words/en/account.ts'
import { dashboard as shared } from '../../../words/en/dashboard.ts'
import { Copyable } from '../address.tsx'
import { callApi } from '../api.ts'
import { Confirm } from '../dialog.tsx'
import { useFresh } from '../fresh.ts'
import { useLoad } from '../load.ts'
import { model, session } from '../model.ts'
import { Command, Empty, Heading, Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { useGuard } from '../route.ts'
import { Time } from '../time.tsx'
import { toast } from '../toast.tsx'
import { Ending } from './ends-with.tsx'
import type { Key, MadeKey } from './key.ts'
import { KeyForm } from './key-form.tsx'
import { NewKey } from './key-shown.tsx'
import { LinkedNote } from './linked-note.tsx'
import { quote } from './quoted.ts'
import { ScopeTags } from './scopes.tsx'

interface Keys {
  readonly data: { readonly keys: readonly Key[] }
}

const keysPath = '/api/v1/auth/profile-keys'

export function Keys() {
  const { data, error, reload, set } = useLoad<Keys>(keysPath)
  const [step, setStep] = useState<'list' | 'form' | MadeKey>('list')
  const [revoking, setRevoking] = useState<Key>()
  const made = typeof step === 'object' ? step : undefined
  useGuard(made && words.guard)
  useFresh(reload)

  const keys = data?.data.keys ?? []
  const usable = keys.filter(({ revokedAt }) => revokedAt === null)
  const revoked = keys.filter(({ revokedAt }) => revokedAt !== null)
  const put = (key: Key) =>
    set(({ data: { keys: before } }) => ({
      data: { keys: [key, ...before.filter(({ keyId }) => keyId !== key.keyId)] },
    }))
  const revoke = async ({ keyId, name }: Key) => {
    const { data: ended } = await callApi<{ data: Key }>('DELETE', `${keysPath}/${keyId}`)
    set(({ data: { keys: before } }) => ({ data: { keys: before.map((one) => (one.keyId === keyId ? ended : one)) } }))
    toast(words.revoked(quote(name)))
  }

  return (
    <>
      <Heading title={words.title} lead={words.lead}>
        {step === 'list' && !session.isLinked && usable.length > 0 && (
          <button type="button" class="button small" onClick={() => setStep('form')}>
            {words.create}
          </button>
        )}
      </Heading>
      {session.isLinked && <LinkedNote may={words.linkedMay} />}
      {step === 'form' && (
        <KeyForm
          onMade={(key) => {
            const { key: _, ...listed } = key
            put(listed)
            setStep(key)
          }}
          onClose={() => setStep('list')}
        />
      )}
      {made && <NewKey made={made} onDone={() => setStep('list')} />}
      <Problem error={error} retry={reload} />
      {!data && !error && <Waiting what={words.loading} />}
      {data && usable.length === 0 && step === 'list' && (
        <Empty title={words.none}>
          <p>{words.noneText}</p>
          <Command
            text={`curl -s ${model.baseUrl}/api/v1/auth/me -H "Authorization: Bearer $KEY"`}
            label={shared.copyCommand}
          />
          {!session.isLinked && (
            <button type="button" class="button" onClick={() => setStep('form')}>
              {words.create}
            </button>
          )}
        </Empty>
      )}
      {usable.length > 0 && (
        <ul class="list" aria-label={words.title}>
          {usable.map((key) => (
            <KeyRow key={key.keyId} of={key}>
              <button
                type="button"
                class="button secondary small"
                aria-label={words.revokeOne(key.name)}
                onClick={() => setRevoking(key)}
              >
                {words.revoke}
              </button>
            </KeyRow>
          ))}
        </ul>
      )}
      {revoked.length > 0 && (
        <details>
          <summary>
            {words.revokedKeys} ({revoked.length})
          </summary>
          <ul class="list" aria-label={words.revokedKeys}>
            {revoked.map((key) => (
              <KeyRow key={key.keyId} of={key} />
            ))}
          </ul>
        </details>
      )}
      {revoking && (
        <Confirm
          title={words.revokeTitle(<bdi>{revoking.name}</bdi>)}
          yes={words.revokeYes}
          onYes={() => revoke(revoking)}
          onClose={() => setRevoking(undefined)}
        >
          <p>{words.revokeEffect(<code>{revoking.prefix}…</code>)}</p>
          <Ending what={revoking.endsWith} />
        </Confirm>
      )}
    </>
  )
}

function KeyRow({ of: key, children }: { readonly of: Key; readonly children?: preact.ComponentChildren }) {
  return (
    <li>
      <div class="list-text">
        <strong>
          <bdi>{key.name}</bdi>
        </strong>
        <span>
          <Copyable text={key.prefix}>
            <code>{key.prefix}…</code>
          </Copyable>{' '}
          · {words.created(<Time at={key.createdAt} />)} ·{' '}
          {key.revokedAt !== null
            ? words.revokedSince(<Time at={key.revokedAt} />)
            : key.lastUsedAt === null
              ? words.neverUsed
              : words.used(<Time at={key.lastUsedAt} />)}
        </span>
      </div>
      <ScopeTags words={key.scopes} />
      {children}
    </li>
  )
}
