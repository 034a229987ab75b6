/** Browsers that are signed in, and the ways out: of one, of all, for good. */

import { sessions as words } from '../../../words/en/account.ts'
import { formatMoment } from '../../locale.ts'
import { Address } from '../address.tsx'
import { callApi } from '../api.ts'
import { ignoreGone, useFresh } from '../fresh.ts'
import { useAction, useLoad } from '../load.ts'
import { Heading, Tag, Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { Time } from '../time.tsx'
import { toast } from '../toast.tsx'
import { Endings } from './endings.tsx'

interface OpenSession {
  readonly id: string
  readonly agent: string | null
  readonly browser: string | null
  readonly wallet: string
  readonly linked: boolean
  readonly createdAt: number
  readonly seenAt: number
  readonly expiresAt: number
  readonly current: boolean
}

interface SessionsAnswer {
  readonly data: { readonly sessions: readonly OpenSession[] }
}

const sessionsPath = '/api/v1/auth/sessions'

export function Sessions() {
  const { data, error, reload, set } = useLoad<SessionsAnswer>(sessionsPath)
  useFresh(reload)
  const sessions = data?.data.sessions ?? []
  const [own, others] = [sessions.filter(({ current }) => current), sessions.filter(({ current }) => !current)]
  // Gone from the list at once; back in it where the server did not do it.
  const ending = useAction(async (one: OpenSession) => {
    set(({ data: { sessions: before } }) => ({ data: { sessions: before.filter(({ id }) => id !== one.id) } }))
    try {
      await ignoreGone(callApi('DELETE', `${sessionsPath}/${one.id}`))
      toast(words.signedOut(writeName(one)))
    } catch (failure) {
      set(({ data: { sessions: before } }) => ({ data: { sessions: [...before, one] } }))
      throw failure
    }
  })
  return (
    <>
      <Heading title={words.title} lead={words.lead} />
      <Problem error={error} retry={reload} />
      <Problem error={ending.error} />
      {!data && !error && <Waiting what={words.loading} />}
      {data && (
        <>
          <ul class="list" aria-label={words.title}>
            {[...own, ...others].map((one) => (
              <li key={one.id}>
                <div class="list-text">
                  <strong title={one.agent ?? undefined}>{writeName(one)}</strong>
                  <span>
                    {one.browser === null && one.agent !== null && <>{words.calls(<bdi>{one.agent}</bdi>)} · </>}
                    {one.linked && <>{words.linked(<Address value={one.wallet} />)} · </>}
                    {words.signedIn(<Time at={one.createdAt} />)} · {words.used(<Time at={one.seenAt} />)} ·{' '}
                    <span title={formatMoment(one.expiresAt)}>{words.ends(<Time at={one.expiresAt} />)}</span>
                  </span>
                </div>
                {one.current ? (
                  <Tag kind="good">{words.here}</Tag>
                ) : (
                  <button
                    type="button"
                    class="button secondary small"
                    aria-label={words.signOutOne(writeName(one), formatMoment(one.createdAt))}
                    onClick={() => void ending.run(one)}
                  >
                    {words.signOut}
                  </button>
                )}
              </li>
            ))}
          </ul>
          {others.length === 0 && <p class="quiet">{words.noOther}</p>}
          <Endings others={others.length} />
        </>
      )}
    </>
  )
}

/** The API says it in English: "Firefox on Linux". */
function writeName({ browser }: OpenSession): string {
  const [name, system] = browser?.split(' on ') ?? []
  if (name === undefined) return words.unknown
  return system === undefined ? name : words.browserOn(name, system)
}
