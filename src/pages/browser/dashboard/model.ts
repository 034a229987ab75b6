/** What the server gave the page: who is signed in, and where things are. */
import type { DashboardModel } from '../../dashboard-model.ts'

const place = document.getElementById('dashboard')!
export const model = JSON.parse(place.dataset.model!) as DashboardModel

/** The root of the server as the browser sees it, which may be below a path prefix. Ends in a slash. */
export const root = new URL(place.dataset.root || './', location.href)

export const { session } = model

/** Begun with by the server's clock, gone on with by how long the page is open. */
const openedAt = performance.now()
/** Unix milliseconds, by the clock of the server. */
export const now = (): number => model.now + performance.now() - openedAt
