/** What the metadata of a Factur-X 1.0 say of it (§6 of its specification), and that it may (ISO 19005-3 §6.6.2.3: an extension schema). */

export const attachedName = 'factur-x.xml'
const namespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'

const said = {
  DocumentType: 'INVOICE',
  DocumentFileName: attachedName,
  Version: '1.0',
  ConformanceLevel: 'EN 16931',
} as const

const meanings: Readonly<Record<keyof typeof said, string>> = {
  DocumentType: 'What the attached file is',
  DocumentFileName: 'Name of the attached XML file',
  Version: 'Version of Factur-X',
  ConformanceLevel: 'Profile of the attached XML file',
}

const property = (name: keyof typeof said): string =>
  `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType>` +
  `<pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${meanings[name]}</pdfaProperty:description></rdf:li>`

const names = Object.keys(said) as (keyof typeof said)[]

/** One of the `pdfaExtension:schemas`. */
export const extensionSchema =
  '<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>' +
  `<pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix>` +
  `<pdfaSchema:property><rdf:Seq>${names.map(property).join('')}</rdf:Seq></pdfaSchema:property></rdf:li>`

/** A description of its own. */
export const facturXProperties =
  `<rdf:Description rdf:about="" xmlns:fx="${namespace}">` +
  `${names.map((name) => `<fx:${name}>${said[name]}</fx:${name}>`).join('')}</rdf:Description>`
