/** Every view of the dashboard, in the order of its menu. To add one: write it, add its place and add it here. */

import type { ComponentType } from 'preact'
import type { Place } from '../../dashboard-places.ts'
import { Apps } from './account/apps.tsx'
import { Keys } from './account/keys.tsx'
import { Secrets } from './account/secrets.tsx'
import { Sessions } from './account/sessions.tsx'
import { Wallets } from './account/wallets.tsx'
import { Builder } from './gates/builder.tsx'
import { Gates } from './gates/gates.tsx'
import type { IconName } from './icons.tsx'
import { Audit } from './operator/audit.tsx'
import { Catalog } from './operator/catalog.tsx'
import { Health } from './operator/health.tsx'
import { Limits } from './operator/limits.tsx'
import { Numbers } from './operator/numbers.tsx'
import { Payments } from './payments/payments.tsx'
import { Proofs } from './vault/proofs.tsx'
import type { ViewProps } from './view-props.ts'

export interface View {
  readonly title: string
  readonly group: 'yours' | 'operator'
  /** Views without one are reached from another view, whose place is `under`. */
  readonly icon?: IconName
  readonly under?: Place
  readonly component: ComponentType<ViewProps>
}

export const views: Readonly<Record<Place, View>> = {
  '/': { title: 'Proofs', group: 'yours', icon: 'proofs', component: Proofs },
  '/gates': { title: 'Gates', group: 'yours', icon: 'gates', component: Gates },
  '/gates/new': { title: 'A new gate', group: 'yours', under: '/gates', component: Builder },
  '/gates/:gateId': { title: 'A gate', group: 'yours', under: '/gates', component: Builder },
  '/payments': { title: 'Payments', group: 'yours', icon: 'payments', component: Payments },
  '/keys': { title: 'Access keys', group: 'yours', icon: 'keys', component: Keys },
  '/apps': { title: 'Connected apps', group: 'yours', icon: 'apps', component: Apps },
  '/secrets': { title: 'Secrets', group: 'yours', icon: 'secrets', component: Secrets },
  '/wallets': { title: 'Wallets', group: 'yours', icon: 'wallets', component: Wallets },
  '/sessions': { title: 'Sessions', group: 'yours', icon: 'sessions', component: Sessions },
  '/operator': { title: 'Health', group: 'operator', icon: 'health', component: Health },
  '/operator/limits': { title: 'Rate limits', group: 'operator', icon: 'limits', component: Limits },
  '/operator/catalog': { title: 'Providers', group: 'operator', icon: 'catalog', component: Catalog },
  '/operator/audit': { title: 'Audit log', group: 'operator', icon: 'audit', component: Audit },
  '/operator/numbers': { title: 'Numbers', group: 'operator', icon: 'numbers', component: Numbers },
}
