/**
 * A migration is never edited once it is on the main branch, because databases store its hash. A new file gets a
 * line here, and existing lines stay. A correction goes into a new file. `bun test/db/schemas/make.ts` writes its rows.
 */
import { expect, test } from 'bun:test'
import { migrations } from '../../src/db/migrations.ts'

const released: Readonly<Record<string, string>> = {
  '0001_init': 'fdd73aab16ff22e807bb0c52fc3bafd48db72807660819fc2d2bf6f8bbac5d65',
  '0002_publishing': '058a351f90ac04361f2a9df696631ad409a93c29a16dbfae296417fa8ade67e8',
  '0003_gates': 'f34429afa58e272a6b4618714389d10e0ad8f3b3a8dedf3ccce751e977e2c1ed',
  '0004_signing_in': '5405ecacf31d8e08ac78eede323753c2fc03a2a60821081fa7bba0079d12193b',
  '0005_social': 'a5de444fb7696ceb5744204aefd00b9d2244adf7a604dd26d01600a911303379',
  '0006_operator': '6d02243936bb0c3608b8705d8ac150f79f4b132423e4de51dd869f4f9f4d59e1',
  '0007_sales': 'f64ef309f02fcec9100b7eae00bb3be9c646f703b2c6771bd8c73353fc9d2ae5',
  '0008_envelopes': '5a5fb87770b058977d8475a4976d85b5ef764379fe22241573c86d77fb24b0b6',
  '0009_spent_texts': '7db2170d223b6625abaf978843d1c2ac2cc9ea500cb3cc8981241132c33b5e23',
  '0010_sources': '71cedc5fa6a725eaecce33cbf875a717bf78139d9e68aa7f88e3db5ed1633f9b',
  '0011_erasures': '36eb680879db79ca99eb7d012ce21e4b63b7e62b1e7d9553e50065f372f8c4b7',
  '0012_bounded_lists': 'f23bbceb753ce0520256e1d3b3e24ce97dcd2f0f00a0ef4f468176e772acfff4',
  '0013_gate_summaries': '5e94c9f74ecd99e367da66759bd833ea34ca3c069487d45af36eafb820b12a56',
  '0014_reservations': '325c9ce06eccec604b4396fd3968c2aac0aac847b052d670063e294544a0245d',
  '0015_accounts': 'eb0980aa2b6c8b3244048604eede1b85c44156f50b7d5652c46954737637b4d2',
  '0016_followed_blocks': 'be97128ab566f4bbca79ce89e91800f5b43133d7491bc29a5a8d54b7b8d3c84a',
  '0017_account_chains': '820560ba5abdc5a31e673e9a3776ae129bd52f039310a6265ef5c07323a9d7fd',
  '0018_offered_transfers': 'a595713c7613ae665e9e536a6619c8be8b6959f0b48370180cc653a06b76f540',
  '0019_unpaid_places': '75afb7b224395589fb460fce4f1de7f86603297f1b8c668f5cb67e77b4614cba',
  '0020_clock': 'ef111471fab2a132e0a63c3ba6d54b5cbe7c3f3dca5aa75794b3afe6d255445d',
  '0021_heartbeat': '1bc46711f56df47244ea0c0e3783189c2a64afdafa4d8c306ef62eeb9ca30780',
  '0022_erasure_traces': 'e277b97943319c58ec06680bc17cb91103e6a31c76bf115d4f9122cf7680272e',
  '0023_apps': '416c17398a6b567c978a2d7331314858e24e1e4dbe942658d14c35214d7fb19a',
  '0024_site_codes': 'e21d224f8c186d2c1236ad4ddcb2644afaff7283a3ecf2c9068075e015c15b49',
  '0025_lookup_facts': '0ac8a38b7009f10cab71d2509c709cc9d9dfdcce9d2bc4ab2de4c24a34c6ff25',
  '0026_ended_and_agents': '2eefad0038130c7880ee03491a99e8df772931fbfd406fe4c2f45216cad9ecdc',
  '0027_reservation_methods': '75d17d2231f6922b61f627f12ecd8e5dea6106734d55eb4a49d2b4f1a184b1b3',
  '0028_guests': '24053dbabc3da53c0185463ad3846bff5c14f549e2c571183d99d6286072236e',
  '0029_connected_places': 'caba9c47e4370908efd0c761d6aa725a0c1e7170d3b00242bec417a5463368fa',
  '0030_archived_gates': '14b9a18e2df84a38f3d2d62e45f735f2d13b923de312bf5d94a45491e9552fbd',
  '0031_hourly_numbers': 'd5766dea92b58849e66aaac22056ced40c843dcd2b65212478f56e56cd7c52a6',
  '0032_changed_visibility': '71b8fcabee90f9c13d5c5897851de859c14431c5a809a7c50aad8b87aa48b7b0',
  '0033_share_links': '8e05ab8f665f111e3af937b683b82180449ab014b38a7fb460b5c8dc32201e0a',
  '0034_gate_appearances': '49036c3febf995e62843fdf51175928cb2add4f73a45ed1aafc671fecf5a4c17',
  '0035_wallet_labels': '0c62fdee6a3ae29630fecc84715f38309ce212cbc5b9283401d7d5509484fad0',
  '0037_withdrawn_passes': 'ecd34d537be40fabcb0ee444d63787426eb868d24091dff8d0b58f41d882c187',
  '0038_share_links_of_profiles': '868b9f76061c01ec7cec63441397d62ae1c3cd7cb8bcfbf506fb65e5afb717b7',
  '0039_restoring': '0cb8e833d5fee630316d60b5a87d988fd10f3891c91efd43bde936f824bf9a9e',
  '0040_job_runs': '08ef62fcbd2b3983d19c8a2846eaac4efc34cf0547fc391a22cd7b4d08ee0479',
  '0041_claims_by_account': 'feff23b8a160c1e0b3a524a33491900732ee28eab0a73548d6f74357935aecd3',
  '0042_processes': 'b9e4d27dd624972c46dcc58b33a92302a098334a51085edc5a60786ed7fd3d0d',
  '0043_pairings': '87412bae12344a8f0c67c6f3053ba0bb388468356c2dd5e5f72df6eb23e59e7e',
  '0044_traces': '173340d182493c8a0c31d77a2ab7507a92025fefd3839ceefee94e827220bfb8',
  '0045_many_of_one': '054238edff05a24f91241995810efc3e36f2a881e7052506ad37bfb526b37a1e',
  '0046_settings': 'c6e2fd5b8a958600aea76f64ae50e7edbaabe33a7f897da95d495467176ccef6',
}

test.each(migrations.map(({ name, sql }) => [name, sql] as const))('%s is as it was released', (name, sql) => {
  expect(Bun.SHA256.hash(sql, 'hex')).toBe(released[name] ?? `no hash yet: add the line of ${name}`)
})

test('no released migration is gone', () => {
  expect(Object.keys(released)).toEqual(migrations.map(({ name }) => name))
})
