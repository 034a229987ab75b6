/** Every migration, in order. Imported one by one so that they travel inside the executable; a test finds a missing one. */
import init from '../../migrations/0001_init.sql' with { type: 'text' }
import publishing from '../../migrations/0002_publishing.sql' with { type: 'text' }
import gates from '../../migrations/0003_gates.sql' with { type: 'text' }
import signingIn from '../../migrations/0004_signing_in.sql' with { type: 'text' }
import social from '../../migrations/0005_social.sql' with { type: 'text' }
import operator from '../../migrations/0006_operator.sql' with { type: 'text' }
import sales from '../../migrations/0007_sales.sql' with { type: 'text' }
import envelopes from '../../migrations/0008_envelopes.sql' with { type: 'text' }
import spentTexts from '../../migrations/0009_spent_texts.sql' with { type: 'text' }
import sources from '../../migrations/0010_sources.sql' with { type: 'text' }
import erasures from '../../migrations/0011_erasures.sql' with { type: 'text' }
import boundedLists from '../../migrations/0012_bounded_lists.sql' with { type: 'text' }
import gateSummaries from '../../migrations/0013_gate_summaries.sql' with { type: 'text' }
import reservations from '../../migrations/0014_reservations.sql' with { type: 'text' }
import accounts from '../../migrations/0015_accounts.sql' with { type: 'text' }
import followedBlocks from '../../migrations/0016_followed_blocks.sql' with { type: 'text' }
import accountChains from '../../migrations/0017_account_chains.sql' with { type: 'text' }
import offeredTransfers from '../../migrations/0018_offered_transfers.sql' with { type: 'text' }
import unpaidPlaces from '../../migrations/0019_unpaid_places.sql' with { type: 'text' }
import clock from '../../migrations/0020_clock.sql' with { type: 'text' }
import heartbeat from '../../migrations/0021_heartbeat.sql' with { type: 'text' }
import erasureTraces from '../../migrations/0022_erasure_traces.sql' with { type: 'text' }
import apps from '../../migrations/0023_apps.sql' with { type: 'text' }
import siteCodes from '../../migrations/0024_site_codes.sql' with { type: 'text' }
import lookupFacts from '../../migrations/0025_lookup_facts.sql' with { type: 'text' }
import endedAndAgents from '../../migrations/0026_ended_and_agents.sql' with { type: 'text' }
import reservationMethods from '../../migrations/0027_reservation_methods.sql' with { type: 'text' }
import guests from '../../migrations/0028_guests.sql' with { type: 'text' }
import connectedPlaces from '../../migrations/0029_connected_places.sql' with { type: 'text' }
import archivedGates from '../../migrations/0030_archived_gates.sql' with { type: 'text' }
import hourlyNumbers from '../../migrations/0031_hourly_numbers.sql' with { type: 'text' }
import changedVisibility from '../../migrations/0032_changed_visibility.sql' with { type: 'text' }
import shareLinks from '../../migrations/0033_share_links.sql' with { type: 'text' }
import gateAppearances from '../../migrations/0034_gate_appearances.sql' with { type: 'text' }
import walletLabels from '../../migrations/0035_wallet_labels.sql' with { type: 'text' }
import withdrawnPasses from '../../migrations/0037_withdrawn_passes.sql' with { type: 'text' }
import shareLinksOfProfiles from '../../migrations/0038_share_links_of_profiles.sql' with { type: 'text' }
import restoring from '../../migrations/0039_restoring.sql' with { type: 'text' }
import jobRuns from '../../migrations/0040_job_runs.sql' with { type: 'text' }
import claimsByAccount from '../../migrations/0041_claims_by_account.sql' with { type: 'text' }
import processes from '../../migrations/0042_processes.sql' with { type: 'text' }
import pairings from '../../migrations/0043_pairings.sql' with { type: 'text' }
import traces from '../../migrations/0044_traces.sql' with { type: 'text' }
import manyOfOne from '../../migrations/0045_many_of_one.sql' with { type: 'text' }
import settings from '../../migrations/0046_settings.sql' with { type: 'text' }

export interface Migration {
  readonly name: string
  readonly sql: string
}

export const migrations: readonly Migration[] = [
  { name: '0001_init', sql: init },
  { name: '0002_publishing', sql: publishing },
  { name: '0003_gates', sql: gates },
  { name: '0004_signing_in', sql: signingIn },
  { name: '0005_social', sql: social },
  { name: '0006_operator', sql: operator },
  { name: '0007_sales', sql: sales },
  { name: '0008_envelopes', sql: envelopes },
  { name: '0009_spent_texts', sql: spentTexts },
  { name: '0010_sources', sql: sources },
  { name: '0011_erasures', sql: erasures },
  { name: '0012_bounded_lists', sql: boundedLists },
  { name: '0013_gate_summaries', sql: gateSummaries },
  { name: '0014_reservations', sql: reservations },
  { name: '0015_accounts', sql: accounts },
  { name: '0016_followed_blocks', sql: followedBlocks },
  { name: '0017_account_chains', sql: accountChains },
  { name: '0018_offered_transfers', sql: offeredTransfers },
  { name: '0019_unpaid_places', sql: unpaidPlaces },
  { name: '0020_clock', sql: clock },
  { name: '0021_heartbeat', sql: heartbeat },
  { name: '0022_erasure_traces', sql: erasureTraces },
  { name: '0023_apps', sql: apps },
  { name: '0024_site_codes', sql: siteCodes },
  { name: '0025_lookup_facts', sql: lookupFacts },
  { name: '0026_ended_and_agents', sql: endedAndAgents },
  { name: '0027_reservation_methods', sql: reservationMethods },
  { name: '0028_guests', sql: guests },
  { name: '0029_connected_places', sql: connectedPlaces },
  { name: '0030_archived_gates', sql: archivedGates },
  { name: '0031_hourly_numbers', sql: hourlyNumbers },
  { name: '0032_changed_visibility', sql: changedVisibility },
  { name: '0033_share_links', sql: shareLinks },
  { name: '0034_gate_appearances', sql: gateAppearances },
  { name: '0035_wallet_labels', sql: walletLabels },
  { name: '0037_withdrawn_passes', sql: withdrawnPasses },
  { name: '0038_share_links_of_profiles', sql: shareLinksOfProfiles },
  { name: '0039_restoring', sql: restoring },
  { name: '0040_job_runs', sql: jobRuns },
  { name: '0041_claims_by_account', sql: claimsByAccount },
  { name: '0042_processes', sql: processes },
  { name: '0043_pairings', sql: pairings },
  { name: '0044_traces', sql: traces },
  { name: '0045_many_of_one', sql: manyOfOne },
  { name: '0046_settings', sql: settings },
]
