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
import { SharedWithMe } from './vault/shared.tsx'
import type { ViewProps } from './view-props.ts'

export interface View {
  readonly group: 'yours' | 'operator'
  /** Views without one are reached from another view, whose place is `under`. */
  readonly icon?: IconName
  readonly under?: Place
  readonly component: ComponentType<ViewProps>
}

export const views: Readonly<Record<Place, View>> = {
  '/': { group: 'yours', icon: 'proofs', component: Proofs },
  '/shared-with-me': { group: 'yours', icon: 'shared', component: SharedWithMe },
  '/gates': { group: 'yours', icon: 'gates', component: Gates },
  '/gates/new': { group: 'yours', under: '/gates', component: Builder },
  '/gates/:gateId': { group: 'yours', under: '/gates', component: Builder },
  '/payments': { group: 'yours', icon: 'payments', component: Payments },
  '/keys': { group: 'yours', icon: 'keys', component: Keys },
  '/apps': { group: 'yours', icon: 'apps', component: Apps },
  '/secrets': { group: 'yours', icon: 'secrets', component: Secrets },
  '/wallets': { group: 'yours', icon: 'wallets', component: Wallets },
  '/sessions': { group: 'yours', icon: 'sessions', component: Sessions },
  '/operator': { group: 'operator', icon: 'health', component: Health },
  '/operator/limits': { group: 'operator', icon: 'limits', component: Limits },
  '/operator/catalog': { group: 'operator', icon: 'catalog', component: Catalog },
  '/operator/audit': { group: 'operator', icon: 'audit', component: Audit },
  '/operator/numbers': { group: 'operator', icon: 'numbers', component: Numbers },
}
