import { request, call } from '../../../../ui/api/call.ts'
import { currentSession } from '../../../../ui/api/session.ts'
import { listOffers, previewOffer, previewPicture, readOffer } from '../../contract/offers.ts'
import { readLicense, readLicenseStats, verifyLicense } from '../../contract/licenses.ts'
import { readSale, salePicture } from '../../contract/sales.ts'

type Context = { readonly signal: AbortSignal }

/** Everything that an offer or a licence may have changed. */
export const licensingKey = ['licensing'] as const
/** What is told differs by who asks. */
const asker = () => `${currentSession()?.userId ?? ''} ${currentSession()?.delegation ?? ''}`

export const saleQuery = (token: string) => ({
  queryKey: [...licensingKey, 'sale', token, asker()] as const,
  queryFn: ({ signal }: Context) => call(readSale, { params: { sale_token: token }, signal }),
  staleTime: 0,
})

/** A picture of what is for sale, or of one’s own offer. */
export type PictureOf = { readonly saleToken: string } | { readonly offerId: string }

export const pictureQuery = (of: PictureOf, number: number) => ({
  queryKey: [...licensingKey, 'picture', of, number] as const,
  queryFn: async ({ signal }: Context) => {
    const answer =
      'saleToken' in of
        ? await request(salePicture, { params: { sale_token: of.saleToken, number: number }, signal }, 'image/png')
        : await request(previewPicture, { params: { id: of.offerId, number: number }, signal }, 'image/png')
    return await answer.blob()
  },
})

export const licenseQuery = (id: string) => ({
  queryKey: [...licensingKey, 'license', id] as const,
  queryFn: ({ signal }: Context) => call(readLicense, { params: { id }, signal }),
})

export const statsQuery = {
  queryKey: [...licensingKey, 'stats'] as const,
  queryFn: ({ signal }: Context) => call(readLicenseStats, { signal }),
}

export const offerQuery = (id: string) => ({
  queryKey: [...licensingKey, 'offer', id] as const,
  queryFn: ({ signal }: Context) => call(readOffer, { params: { id }, signal }),
  staleTime: 0,
  refetchOnWindowFocus: true,
})

export const previewQuery = (id: string) => ({
  queryKey: [...licensingKey, 'preview', id] as const,
  queryFn: ({ signal }: Context) => call(previewOffer, { params: { id }, signal }),
  staleTime: 0,
})

export const offersQuery = (page: number) => ({
  queryKey: [...licensingKey, 'offers', page] as const,
  queryFn: ({ signal }: Context) => call(listOffers, { query: { page }, signal }),
})

/** Which sees the code of a licence as anybody does. */
export const verifiedQuery = (code: string) => ({
  queryKey: [...licensingKey, 'verified', code] as const,
  queryFn: ({ signal }: Context) => call(verifyLicense, { params: { code }, signal }),
})
