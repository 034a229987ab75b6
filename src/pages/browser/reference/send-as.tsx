/** As whom a request goes out. */
import type { Operation } from './description.ts'
import type { Desk } from './desk.ts'
import type { As } from './sending.ts'

export function SendAs({ desk, operation }: { readonly desk: Desk; readonly operation: Operation }) {
  const { session, sendAs, key } = desk
  return (
    <div class="send-as">
      <div class="try-field">
        <label for="send-as">Send it as</label>
        <select id="send-as" value={sendAs} onChange={(event) => desk.setSendAs(event.currentTarget.value as As['by'])}>
          {session && <option value="session">{`${session.address}, signed in here`}</option>}
          <option value="nobody">nobody in particular</option>
          <option value="key">the holder of an access key</option>
        </select>
      </div>
      {sendAs === 'key' && (
        <div class="try-field">
          <label for="access-key">Access key</label>
          <input
            id="access-key"
            type="password"
            autocomplete="off"
            placeholder="npk_…"
            value={key}
            onInput={(event) => desk.setKey(event.currentTarget.value.trim())}
          />
          <p class="hint">Kept in this page only, until you leave it.</p>
        </div>
      )}
      {!session && operation.callers.includes('session') && !/anyone|signature/.test(operation.callers.join()) && (
        <p class="hint">
          Nobody is signed in here. <a href="login">Sign in</a>, or{' '}
          <a href="#signIn">sign in with a throw-away wallet</a>.
        </p>
      )}
    </div>
  )
}
