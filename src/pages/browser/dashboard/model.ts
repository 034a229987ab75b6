/** What the server gave the page: who is signed in, and where things are. */
import type { DashboardModel } from '../../dashboard-model.ts'

const place = document.getElementById('dashboard')!
export const model = JSON.parse(place.dataset.model!) as DashboardModel

/** The root of the server as the browser sees it, which may be below a path prefix. Ends in a slash. */
export const root = new URL(place.dataset.root || './', location.href)

export const { session } = model

/**
 * Begun with by the server's clock, gone on with by how long the page is open. Not by performance.now(), which stands
 * still while the machine sleeps; what the clock of the browser is off by cancels out.
 */
const openedAt = Date.now()
/** Unix milliseconds, by the clock of the server. */
export const now = (): number => model.now + Date.now() - openedAt
