/** Those who hold keys, as a capture knows them: it may have digests dated and an archive signed, and reads no key. */
export type Notary = {
  /** @param sha256 32 octets. */
  timestampDigest(
    sha256: Uint8Array,
    signal?: AbortSignal,
  ): Promise<{
    /** RFC 3161 TimeStampResp, DER. */
    readonly token: Uint8Array
    /** Issuers of the certificate that signed it, nearest first, the last self-signed. */
    readonly caPem: string
    readonly authority: string
    readonly genTime: Date
    readonly embedded: boolean
  }>
  /**
   * @param hash `sha256:<hex>` of datapackage.json
   * @param created its date, `2026-11-21T10:00:00Z`
   * @returns `signedData` of WACZ Signing and Verification 0.1.0
   */
  signArchive(hash: string, created: string, signal?: AbortSignal): Promise<Readonly<Record<string, string>>>
}
