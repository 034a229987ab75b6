/** Connected apps: what each may do, and taking that back. */
import { useState } from 'preact/hooks'
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
    toast(isOnlyRemembered(app) ? `${quote(name)} must ask you again.` : `${quote(name)} is disconnected.`)
  }
  return (
    <>
      <Heading
        title="Connected apps"
        lead="Assistants and programs that you let in. Each does what you allowed, and no more."
      />
      <Problem error={error} retry={reload} />
      {!data && !error && <Waiting what="Loading the apps" />}
      {apps.length > 0 && (
        <ul class="list" aria-label="Connected apps">
          {apps.map((app) => (
            <AppRow key={app.clientId} app={app} onDisconnect={() => setLeaving(app)} />
          ))}
        </ul>
      )}
      {(offset > 0 || data?.data.truncated) && (
        <p>
          {offset > 0 && (
            <button type="button" class="button secondary small" onClick={() => setOffset(offset - appsPerPage)}>
              Newer apps
            </button>
          )}{' '}
          {data?.data.truncated && (
            <button type="button" class="button secondary small" onClick={() => setOffset(offset + appsPerPage)}>
              Older apps
            </button>
          )}
        </p>
      )}
      {data && apps.length === 0 && offset === 0 && (
        <Empty title="No app is connected">
          {model.hasMcp ? (
            <>
              <p>Give an AI assistant the address of this server. It asks you here before it gets anything.</p>
              <Connect />
            </>
          ) : (
            <p>
              The operator has switched off the endpoint for assistants (mcp.enabled). Other OAuth clients show up here.
            </p>
          )}
        </Empty>
      )}
      {apps.length > 0 && model.hasMcp && (
        <details>
          <summary>Connect another assistant</summary>
          <div class="details-body">
            <Connect />
          </div>
        </details>
      )}
      {leaving && isOnlyRemembered(leaving) && (
        <Confirm
          title={
            <>
              Forget your consent for <bdi>{leaving.name}</bdi>?
            </>
          }
          yes="Forget consent"
          onYes={() => disconnect(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>The next time it connects, it must ask you.</p>
        </Confirm>
      )}
      {leaving && !isOnlyRemembered(leaving) && (
        <Confirm
          title={
            <>
              Disconnect <bdi>{leaving.name}</bdi>?
            </>
          }
          yes="Disconnect"
          onYes={() => disconnect(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>All its tokens end at once. To come back it must ask you again.</p>
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
          {app.firstParty ? <Tag kind="good">part of Proofgate</Tag> : <Tag kind="warning">name not verified</Tag>}{' '}
          {isOnlyRemembered(app) && <Tag>not connected</Tag>}
        </strong>
        <span>
          {app.returnsTo.length > 0 && (
            <>
              returns to <bdi class="place">{app.returnsTo.join(', ')}</bdi> ·{' '}
            </>
          )}
          {app.clientId.startsWith('https://') && (
            <>
              described at <bdi class="place">{app.clientId}</bdi> ·{' '}
            </>
          )}
          {isOnlyRemembered(app) ? (
            <>
              allowed <Time at={app.connectedAt} />
            </>
          ) : (
            <>
              connected <Time at={app.connectedAt} /> ·{' '}
              <span title="When it last got access, which is good for an hour.">
                last used <Time at={app.lastUsedAt} />
              </span>
            </>
          )}
        </span>
        {app.scopes.length > 0 && <Allowed label="It may" scopes={app.scopes} />}
        {app.remembered.map((one) => (
          <RememberedConsent key={one.returnsTo} app={app} remembered={one} />
        ))}
      </div>
      {isOnlyRemembered(app) ? (
        <button
          type="button"
          class="button secondary small"
          aria-label={`Forget consent for ${app.name}`}
          onClick={onDisconnect}
        >
          Forget consent
        </button>
      ) : (
        <button
          type="button"
          class="button secondary small"
          aria-label={`Disconnect ${app.name}`}
          onClick={onDisconnect}
        >
          Disconnect
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
  const place = app.returnsTo.length > 1 && (
    <>
      {' '}
      from <bdi class="place">{returnsTo}</bdi>
    </>
  )
  if (scopes.join() === app.scopes.join())
    return <span class="remembered">It may connect again{place} without asking you.</span>
  return (
    <>
      <span class="remembered">It may connect again{place} without asking you. It then gets this:</span>
      <Allowed label={`Allowed without asking, from ${returnsTo}`} scopes={scopes} />
    </>
  )
}
