/** The report that everybody may open, at `/sample/{en,fr}/facts.json`; 404 until it was made. */
import { z } from 'zod'

export const sampleFiles = ['package.zip', 'report.en.pdf', 'report.fr.pdf', 'page.jpg'] as const
export type SampleFile = (typeof sampleFiles)[number]

export const sampleFacts = z.object({
  page_url: z.string(),
  captured_at: z.iso.datetime(),
  sealed_at: z.iso.datetime(),
  /** Who dated it, by name, and whether it is the authority of the installation itself. */
  authority: z.string(),
  embedded: z.boolean(),
  root: z.string().regex(/^[0-9a-f]{64}$/),
  software: z.string(),
  pieces: z.int().positive(),
  /** Whole, of images and of the record of the network, as it was measured. */
  quality: z.enum(['good', 'doubtful', 'poor']),
  width: z.int().positive(),
  height: z.int().positive(),
  package_bytes: z.int().positive(),
})
export type SampleFacts = z.infer<typeof sampleFacts>
