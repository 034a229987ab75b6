/** [backup]: where backups are kept, how they are sealed, and when they are made and tried. */
import { Type } from '@sinclair/typebox'
import { hasScheme } from '../address.ts'
import { describeSchedule } from '../cron-line.ts'
import { type Contradiction, describeFlag, describeTable, describeText, describeWhole } from '../setting.ts'

/** That of config.example.toml would seal with what everybody knows. */
const isNoPlaceholder = (text: string): boolean => !/^<.*>$/.test(text)

export const backup = describeTable(
  {
    to: Type.Optional(
      describeText({
        description: 'Where backups are kept: a folder, relative to the working directory, or s3://bucket/prefix.',
        consequence: 'A folder on the disk of the data folder is lost with it.',
        whenEmpty: 'no backup is made on a schedule',
        example: '/mnt/backups/proofgate',
        expected: 'a folder, or s3://bucket/prefix',
        names: 'place',
        accepts: (to: string) => !hasScheme(to) || /^s3:\/\/[a-z0-9][a-z0-9.-]{1,62}(\/[^\s]*)?$/.test(to),
      }),
    ),
    passphrase: Type.Optional(
      describeText({
        description: 'Seals backups, the master key and the configuration in them.',
        consequence: 'Without it no backup can be restored: keep it apart from this machine and from the backups.',
        whenEmpty: 'a backup is made only without secrets',
        secret: true,
        example: '<at least 12 characters>',
        expected: 'a passphrase of at least 12 characters, because shorter ones are guessed',
        minLength: 12,
        accepts: isNoPlaceholder,
      }),
    ),
    without_secrets: describeFlag({
      description: 'Makes backups that are not sealed, without the master key and the configuration.',
      consequence:
        'Everybody who reads such a backup reads what the database holds in the clear, and a restore needs the master key from elsewhere.',
      default: false,
      example: true,
    }),
    schedule: describeSchedule({
      description: 'When backups are made, as a cron line in UTC. Only with backup.to.',
      consequence: 'What was stored since the newest backup is lost with the disk.',
      default: '7 * * * *',
    }),
    drill_schedule: describeSchedule({
      description: 'When the newest backup is restored on trial, as a cron line in UTC. Only with backup.to.',
      consequence: 'A backup that cannot be restored is found so late at most.',
      default: '37 3 * * *',
    }),
    keep_hourly: describeWhole({
      description: 'How many of the newest hours keep their newest backup.',
      consequence: 'Older ones are deleted, unless another rule keeps them.',
      unit: 'backups',
      default: 24,
      example: 24,
      minimum: 1,
      maximum: 1000,
    }),
    keep_daily: describeWhole({
      description: 'How many of the newest days keep their newest backup.',
      consequence: 'What was erased stays in a backup until the backup is deleted.',
      unit: 'backups',
      default: 7,
      example: 7,
      minimum: 0,
      maximum: 1000,
    }),
    keep_weekly: describeWhole({
      description: 'How many of the newest weeks keep their newest backup.',
      consequence: 'The journal of what was taken away is kept as long.',
      unit: 'backups',
      default: 5,
      example: 5,
      minimum: 0,
      maximum: 520,
    }),
    continuous: describeFlag({
      description: 'Also ships what is committed, within a second. Only with backup.to.',
      consequence: 'The place gets up to two small files a second, which are put together each minute.',
      default: false,
      example: true,
    }),
    continuous_hours: describeWhole({
      description: 'How far back every moment can be restored. Only with backup.continuous.',
      consequence: 'Longer takes more room: what is written to the log, compressed.',
      unit: 'hours',
      default: 48,
      example: 48,
      minimum: 1,
      maximum: 8760,
    }),
    before_upgrade: describeFlag({
      description: 'Copies the database before a new version changes its form.',
      consequence: 'Without it a migration that turns out wrong is undone only by an older backup.',
      default: true,
      example: false,
    }),
    bucket_endpoint: Type.Optional(
      describeText({
        description: 'Address of the service that holds the bucket.',
        consequence: 'Data goes there: sealed, unless backup.without_secrets is set.',
        whenEmpty: 'Amazon S3',
        example: 'https://s3.eu-central-1.amazonaws.com',
        expected: 'an address that begins with https:// or http://',
        pattern: '^https?://[^\\s]+$',
      }),
    ),
    bucket_region: Type.Optional(
      describeText({
        description: 'Region of the bucket.',
        consequence: 'Some services refuse another one.',
        whenEmpty: 'the region of the endpoint, or us-east-1',
        example: 'eu-central-1',
        expected: 'the name of a region',
        pattern: '^[a-z0-9-]{1,64}$',
      }),
    ),
    bucket_key_id: Type.Optional(
      describeText({
        description: 'Access key of the bucket. It needs to list, read, write and delete below the prefix.',
        consequence: 'Give it no other rights.',
        whenEmpty: 's3:// cannot be used',
        example: 'AKIAIOSFODNN7EXAMPLE',
        maxLength: 200,
      }),
    ),
    bucket_secret_key: Type.Optional(
      describeText({
        description: 'Secret of that access key.',
        consequence: 'Whoever has it can delete the backups.',
        whenEmpty: 's3:// cannot be used',
        secret: true,
        example: '<secret access key>',
        expected: 'the secret of the access key',
        accepts: isNoPlaceholder,
        maxLength: 200,
      }),
    ),
  },
  { findContradictions },
)

function findContradictions(table: Readonly<Record<string, unknown>>): readonly Contradiction[] {
  const { to, passphrase, without_secrets: without, bucket_key_id: key, bucket_secret_key: secret, continuous } = table
  return [
    ...(to === undefined && continuous === true
      ? [{ path: ['continuous'], problem: 'is set, and no place is: set backup.to' }]
      : []),
    ...(to !== undefined && passphrase === undefined && without !== true
      ? [
          {
            path: ['passphrase'],
            problem: 'is not set, so that backups could not hold the secrets: set it, or set backup.without_secrets',
          },
        ]
      : []),
    ...(passphrase !== undefined && without === true
      ? [{ path: ['without_secrets'], problem: 'is set, and backup.passphrase is too: set one of the two' }]
      : []),
    ...(typeof to === 'string' && to.startsWith('s3://') && (key === undefined || secret === undefined)
      ? [
          {
            path: [key === undefined ? 'bucket_key_id' : 'bucket_secret_key'],
            problem: 'is not set, and backup.to names a bucket: set both',
          },
        ]
      : []),
  ]
}
