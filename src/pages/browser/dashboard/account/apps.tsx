/** Connected apps: what each may do, and taking that back. */

import { useState } from 'preact/hooks'
import { apps as words } from '../../../words/en/account.ts'
import { Copyable } from '../address.tsx'
import { callApi } from '../api.ts'
import { Confirm } from '../dialog.tsx'
import { ignoreGone, useFresh } from '../fresh.ts'
import { useLoad } from '../load.ts'
import { model } from '../model.ts'
import { Empty, Heading, Tag, Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { Time } from '../time.tsx'
import { toast } from '../toast.tsx'
import { Connect } from './connect.tsx'
import { Ending, type EndsWith } from './ends-with.tsx'
import { quote } from './quoted.ts'
import { describeScope } from './scopes.tsx'

interface App {
  readonly clientId: string
  readonly name: string
  readonly firstParty: boolean
  readonly hasTokens: boolean
  readonly scopes: readonly string[]
  readonly returnsTo: readonly string[]
  readonly remembered: readonly Remembered[]
  readonly connectedAt: number
  readonly lastUsedAt: number
  readonly endsWith: EndsWith
}

interface Remembered {
  readonly returnsTo: string
  readonly scopes: readonly string[]
  readonly allowedAt: number
}

interface AppsAnswer {
  readonly data: { readonly apps: readonly App[]; readonly truncated: boolean }
}

const appsPath = '/api/v1/auth/apps'
const appsPerPage = 200

export function Apps() {
  const [offset, setOffset] = useState(0)
  const { data, error, reload, set } = useLoad<AppsAnswer>(offset === 0 ? appsPath : `${appsPath}?offset=${offset}`)
  const [leaving, setLeaving] = useState<App>()
  useFresh(reload)
  const apps = data?.data.apps ?? []
  const disconnect = async (app: App) => {
    const { clientId, name } = app
    await ignoreGone(callApi('DELETE', `${appsPath}/${encodeURIComponent(clientId)}`))
    set(({ data: { apps: before, truncated } }) => ({
      data: { apps: before.filter((one) => one.clientId !== clientId), truncated },
    }))
    toast(isOnlyRemembered(app) ? words.forgotten(quote(name)) : words.disconnected(quote(name)))
  }
  return (
    <>
      <Heading title={words.title} lead={words.lead} />
      <Problem error={error} retry={reload} />
      {!data && !error && <Waiting what={words.loading} />}
      {apps.length > 0 && (
        <ul class="list" aria-label={words.title}>
          {apps.map((app) => (
            <AppRow key={app.clientId} app={app} onDisconnect={() => setLeaving(app)} />
          ))}
        </ul>
      )}
      {(offset > 0 || data?.data.truncated) && (
        <p>
          {offset > 0 && (
            <button type="button" class="button secondary small" onClick={() => setOffset(offset - appsPerPage)}>
              {words.newer}
            </button>
          )}{' '}
          {data?.data.truncated && (
            <button type="button" class="button secondary small" onClick={() => setOffset(offset + appsPerPage)}>
              {words.older}
            </button>
          )}
        </p>
      )}
      {data && apps.length === 0 && offset === 0 && (
        <Empty title={words.none}>
          {model.hasMcp ? (
            <>
              <p>{words.giveAddress}</p>
              <Connect />
            </>
          ) : (
            <p>{words.switchedOff}</p>
          )}
        </Empty>
      )}
      {apps.length > 0 && model.hasMcp && (
        <details>
          <summary>{words.another}</summary>
          <div class="details-body">
            <Connect />
          </div>
        </details>
      )}
      {leaving && isOnlyRemembered(leaving) && (
        <Confirm
          title={words.forgetTitle(<bdi>{leaving.name}</bdi>)}
          yes={words.forget}
          onYes={() => disconnect(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>{words.forgetEffect}</p>
        </Confirm>
      )}
      {leaving && !isOnlyRemembered(leaving) && (
        <Confirm
          title={words.disconnectTitle(<bdi>{leaving.name}</bdi>)}
          yes={words.disconnect}
          onYes={() => disconnect(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>{words.disconnectEffect}</p>
          <Ending what={leaving.endsWith} />
        </Confirm>
      )}
    </>
  )
}

/** No token works, and nothing that it made is left: the app only need not ask again. */
const isOnlyRemembered = ({ hasTokens, scopes }: App): boolean => !hasTokens && scopes.length === 0

function AppRow({ app, onDisconnect }: { readonly app: App; onDisconnect(): void }) {
  return (
    <li class="app">
      <div class="list-text">
        <strong>
          <bdi>{app.name}</bdi>{' '}
          {app.firstParty ? <Tag kind="good">{words.firstParty}</Tag> : <Tag kind="warning">{words.unverified}</Tag>}{' '}
          {isOnlyRemembered(app) && <Tag>{words.notConnected}</Tag>}
        </strong>
        <span>
          {app.returnsTo.length > 0 && <>{words.returnsTo(<bdi class="place">{app.returnsTo.join(', ')}</bdi>)} · </>}
          {app.clientId.startsWith('https://') && (
            <>
              {words.description(
                <Copyable text={app.clientId}>
                  <bdi class="place">{app.clientId}</bdi>
                </Copyable>,
              )}{' '}
              ·{' '}
            </>
          )}
          {isOnlyRemembered(app) ? (
            words.allowed(<Time at={app.connectedAt} />)
          ) : (
            <>
              {words.connected(<Time at={app.connectedAt} />)} ·{' '}
              <span title={words.usedHint}>{words.used(<Time at={app.lastUsedAt} />)}</span>
            </>
          )}
        </span>
        {app.scopes.length > 0 && <Allowed label={words.may} scopes={app.scopes} />}
        {app.remembered.map((one) => (
          <RememberedConsent key={one.returnsTo} app={app} remembered={one} />
        ))}
      </div>
      {isOnlyRemembered(app) ? (
        <button
          type="button"
          class="button secondary small"
          aria-label={words.forgetOne(app.name)}
          onClick={onDisconnect}
        >
          {words.forget}
        </button>
      ) : (
        <button
          type="button"
          class="button secondary small"
          aria-label={words.disconnectOne(app.name)}
          onClick={onDisconnect}
        >
          {words.disconnect}
        </button>
      )}
    </li>
  )
}

const Allowed = ({ label, scopes }: { readonly label: string; readonly scopes: readonly string[] }) => (
  <ul class="allowed" aria-label={label}>
    {scopes.map((scope) => (
      <li key={scope}>{describeScope(scope)}</li>
    ))}
  </ul>
)

/** The words for the scopes are left out where the tokens have the same ones. */
function RememberedConsent({ app, remembered }: { readonly app: App; readonly remembered: Remembered }) {
  const { returnsTo, scopes } = remembered
  const place = app.returnsTo.length > 1 ? <bdi class="place">{returnsTo}</bdi> : undefined
  if (scopes.join() === app.scopes.join()) return <span class="remembered">{words.again(place, false)}</span>
  return (
    <>
      <span class="remembered">{words.again(place, true)}</span>
      <Allowed label={words.allowedUnasked(returnsTo)} scopes={scopes} />
    </>
  )
}
