import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { otherLocale } from '../../../../kernel/locale.ts'
import { Facts } from '../../../../ui/controls/Facts.tsx'
import { Fingerprint } from '../../../../ui/controls/Fingerprint.tsx'
import { PageAddress } from '../../../../ui/controls/PageAddress.tsx'
import { Loaded, ReferencePage } from '../../../../ui/controls/ReferencePage.tsx'
import { Rosette } from '../../../../ui/controls/Rosette.tsx'
import { formatBytes, formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import type { PageSample } from '../../../../kernel/page-sample.ts'
import { readHead } from '../../../../ui/shell/head-data.ts'
import type { SampleFacts } from '../../contract/sample.ts'
import { readSample, sampleAddress } from '../read-sample.ts'
import styles from './sample.module.css'

/** A report that this installation made of itself: to be opened, taken along, and verified where one is. */
export function SamplePage(): ReactNode {
  const text = useText()
  const locale = useLocale()
  // In a browser all that is known of it; while the build draws the page, what stands for how large it is.
  const sent = readHead('sample') as SampleFacts | PageSample | null
  const query = useQuery({
    queryKey: ['sample', locale],
    queryFn: async ({ signal }) => await readSample(locale, signal),
    ...(sent !== null && 'root' in sent ? { initialData: sent } : {}),
  })
  return (
    <ReferencePage title={text('ui.page.sample')} lead={[text('sample.lead')]}>
      {sent !== null && 'size' in sent ? <Sample shown={sent} facts={null} /> : null}
      <Loaded query={query} loading={text('ui.loading')} failed={text('sample.failed')}>
        {(facts) =>
          facts === null ? (
            <p role="status" className={styles['absent']}>
              {text('sample.absent')}
            </p>
          ) : (
            <Sample shown={{ ...facts, size: formatBytes(facts.package_bytes, locale) }} facts={facts} />
          )
        }
      </Loaded>
    </ReferencePage>
  )
}

function Sample({ shown, facts }: { shown: PageSample; facts: SampleFacts | null }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const report = sampleAddress(locale, `report.${locale}.pdf`)
  const other = otherLocale(locale)
  return (
    <>
      <div className={styles['doors']}>
        <Button component="a" href={report} size="md" target="_blank" rel="noopener">
          {text('sample.open')}
        </Button>
        <Button
          renderRoot={(root) => <Link to="/$locale/proofs/" params={{ locale }} search={{ sample: true }} {...root} />}
          variant="default"
          size="md"
        >
          {text('sample.verify')}
        </Button>
        <a href={sampleAddress(locale, 'package.zip')} download="probant-sample.zip">
          {text('sample.download', { size: shown.size })}
        </a>
        <a href={sampleAddress(locale, `report.${other}.pdf`)} hrefLang={other} target="_blank" rel="noopener">
          {text('sample.other')}
        </a>
      </div>
      <div className={styles['sample']}>
        <figure className={styles['picture']}>
          <img
            src={sampleAddress(locale, 'page.jpg')}
            width={shown.width}
            height={shown.height}
            alt={text('sample.picture.alt')}
            fetchPriority="high"
          />
          <figcaption>{text('sample.picture')}</figcaption>
        </figure>
        {facts === null ? null : (
          <Rosette
            root={facts.root}
            title={(first) => text('sample.rosette', { root: first })}
            hint={text('sample.rosette.hint')}
          />
        )}
      </div>
      {facts === null ? null : (
        <Facts
          rows={[
            [text('sample.fact.page'), <PageAddress key="page" url={facts.page_url} />],
            [text('sample.fact.captured'), formatInstant(facts.captured_at, locale)],
            [text('sample.fact.dated'), formatInstant(facts.sealed_at, locale)],
            [
              text('sample.fact.authority'),
              text(facts.embedded ? 'sample.authority.own' : 'sample.authority.outside', { name: visible(facts.authority) }),
            ],
            [text('sample.fact.quality'), text(`sample.quality.${facts.quality}`)],
            [text('sample.fact.pieces'), new Intl.NumberFormat(locale).format(facts.pieces)],
            [text('sample.fact.software'), visible(facts.software)],
            [text('sample.fact.root'), <Fingerprint key="root" value={facts.root} what={text('sample.fact.root')} />],
          ]}
        />
      )}
      <p className={styles['try']}>{text('sample.try')}</p>
    </>
  )
}
