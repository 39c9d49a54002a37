// The payment and freight terms that forms offer. A facility or a quote may have others.
export const PAYMENT_TERMS = ['Net 30', 'Net 15', 'Net 45', 'Net 60', '2% 10, Net 30', 'Prepaid', 'Credit card'];
export const FREIGHT_TERMS = ['FOB Destination', 'FOB Origin', 'Prepaid and add', 'Collect', 'Third party'];
