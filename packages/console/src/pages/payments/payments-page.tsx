import { useMay } from "../../api/platform.ts";
import { ListPage } from "../../detail/list-page.tsx";
import { ExportButton } from "../reading/exports/export-button.tsx";
import { NewPayment } from "./new-payment.tsx";
import { paymentList } from "./payment-list.tsx";

const spec = paymentList();

export function PaymentsPage() {
  const may = useMay("payments.create");
  return (
    <ListPage
      spec={spec}
      place="payments"
      tools={<ExportButton kind="TRANSACTIONS" list={spec} />}
      acts={may ? <NewPayment /> : undefined}
    />
  );
}
