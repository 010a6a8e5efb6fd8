"""lldb's implementation of the debugger interface (raw_memory.py)."""

import lldb

from heed_debug.memory import FIRST_COPY, Field, Undescribed, Unreadable

MOST_COPIES = 64
CLASSES = (lldb.eTypeClassStruct, lldb.eTypeClassClass)


class Lldb:
    def __init__(self):
        self.lldb = None  # lldb's own object
        self.target = None
        self.symbols = {}
        self.copies = {}

    def look_at(self, target=None):
        """Call this before any query: it clears cached facts about another program."""
        target = target or self.lldb.GetSelectedTarget()
        self.copies.clear()
        if self.target is None or self.target != target:
            self.target = target
            self.symbols.clear()
            return True
        return False

    def process(self):
        return self.target.GetProcess()

    def read(self, address, size):
        for start, copy in self.copies.items():
            if start <= address and address + size <= start + len(copy):
                return copy[address - start : address - start + size]
        if size == 0:
            return b""
        error = lldb.SBError()
        data = self.target.GetProcess().ReadMemory(address, size, error)
        if not error.Success() or data is None or len(data) != size:
            raise Unreadable(hex(address))
        return data

    def find_type(self, name):
        found = self.target.FindTypes(name)
        for i in range(found.GetSize()):
            type = found.GetTypeAtIndex(i)
            if type.IsValid() and type.GetByteSize() > 0:  # skip forward declarations
                return type
        raise Undescribed(name)

    def type_name(self, type):
        return self.plain(type).GetName() or ""

    def fields(self, type):
        type = self.plain(type)
        if self.is_only_declared(type):
            raise Undescribed(type.GetName())
        bases = [type.GetDirectBaseClassAtIndex(i)
                 for i in range(type.GetNumberOfDirectBaseClasses())]
        members = [type.GetFieldAtIndex(i) for i in range(type.GetNumberOfFields())]
        return [Field("", base.GetOffsetInBytes(), base.GetType(), True) for base in bases] + [
            Field(member.GetName() or "", member.GetOffsetInBytes(), member.GetType(), False)
            for member in members if not (member.GetName() or "").startswith("_vptr")]

    def is_class(self, type):
        return self.plain(type).GetTypeClass() in CLASSES

    def is_only_declared(self, type):
        return self.is_class(type) and self.plain(type).GetByteSize() == 0

    @staticmethod
    def is_reference(type):
        return type.GetCanonicalType().IsReferenceType()

    @staticmethod
    def is_pointer(type):
        return type.GetCanonicalType().IsPointerType()

    def pointee(self, type):
        is_one = self.is_reference(type)
        return type.GetDereferencedType() if is_one else type.GetPointeeType()

    def size(self, type):
        return self.plain(type).GetByteSize()

    def entry_type(self, type):
        entry = self.plain(type).GetTemplateArgumentType(0)
        return entry if entry.IsValid() else None

    def symbol(self, address):
        if address not in self.symbols:
            self.symbols[address] = next(filter(None, self.symbols_at(address)), "")
        return self.symbols[address]

    def symbols_at(self, address):
        """Looks up file addresses per module: by load address lldb does not find symbols next to
        thread-local variables (seen in version 14)."""
        for module in self.target.module_iter():
            code = module.FindSection(".text")
            loaded = code.GetLoadAddress(self.target)
            if loaded == lldb.LLDB_INVALID_ADDRESS:
                continue
            in_file = address - loaded + code.GetFileAddress()
            place = module.ResolveFileAddress(in_file) if in_file > 0 else lldb.SBAddress()
            symbol = place.GetSymbol()
            if place.IsValid() and symbol.IsValid():
                after = in_file - symbol.GetStartAddress().GetFileAddress()
                yield f"{symbol.GetName()} + {after}" if after else symbol.GetName()

    @staticmethod
    def plain(type):
        type = type.GetCanonicalType()
        if type.IsReferenceType():
            type = type.GetDereferencedType().GetCanonicalType()
        return type.GetUnqualifiedType()

    def place(self, value):
        """The address of a value, or of a copy if it lives only in lldb."""
        address = value.GetLoadAddress()
        if address != lldb.LLDB_INVALID_ADDRESS:
            return address
        error, data = lldb.SBError(), value.GetData()
        size = data.GetByteSize()
        copy = data.ReadRawData(error, 0, size) if size else None
        if not copy or not error.Success():
            return 0
        if len(self.copies) >= MOST_COPIES:
            self.copies.clear()
        place = FIRST_COPY + 4096 * len(self.copies)
        self.copies[place] = bytes(copy)
        return place


DEBUGGER = Lldb()


def object_of(value):
    """The object behind references; of a pointer itself, and not, as lldb's dynamic values, of what
    it points to."""
    value = value.GetStaticValue().GetNonSyntheticValue()
    if value.GetType().GetCanonicalType().IsReferenceType():
        value = value.Dereference().GetNonSyntheticValue()
    return value


def declared_later(frame, variable):
    """Is the variable not constructed yet at the frame's position?"""
    declared = variable.GetDeclaration()
    line = frame.GetLineEntry()
    is_argument = variable.GetValueType() == lldb.eValueTypeVariableArgument
    if is_argument or declared.GetFileSpec() != line.GetFileSpec():
        return False
    if declared.GetLine() != line.GetLine():
        return declared.GetLine() > line.GetLine()
    in_a_call = frame.GetFrameID() > 0
    return in_a_call or frame.GetPC() == line.GetStartAddress().GetLoadAddress(DEBUGGER.target)


def not_constructed(frame, address):
    """Does the address belong to a variable (or its member) declared on a later line?"""
    if not frame.IsValid():
        return False
    for variable in frame.GetVariables(False, True, False, False):
        begin = variable.GetLoadAddress()
        size = variable.GetType().GetByteSize()
        is_reference = variable.GetType().GetCanonicalType().IsReferenceType()
        if not is_reference and begin <= address < begin + size:
            if declared_later(frame, variable):
                return True
    return False


def is_unborn(value):
    """Is it declared on a later line? A reference has no address of its own to check."""
    frame = value.GetFrame()
    if value.GetType().GetCanonicalType().IsReferenceType():
        return frame.IsValid() and value.GetDeclaration().IsValid() and declared_later(frame, value)
    return not_constructed(frame, value.GetLoadAddress())
