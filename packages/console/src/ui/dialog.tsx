/** The dialog component: a title, content and acts. Dialogs are never stacked. */
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { t } from "../text/messages.ts";
import { IconButton } from "./button.tsx";

export function Dialog({
  title,
  isOpen,
  onClose,
  isDismissable = true,
  children,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly isDismissable?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
      className="fixed inset-0 z-40 flex items-end justify-center bg-scrim rail:items-center rail:p-6"
    >
      <Modal className="max-h-[92dvh] w-full overflow-auto rounded-t-panel bg-raised shadow-raised rail:max-w-lg rail:rounded-panel">
        <AriaDialog className="flex flex-col gap-4 p-5 outline-none">
          <div className="flex items-center justify-between gap-4">
            <Heading slot="title" className="text-section font-semibold">
              {title}
            </Heading>
            {isDismissable && (
              <IconButton label={t("dialog.close")} onPress={onClose}>
                <X size={16} aria-hidden />
              </IconButton>
            )}
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
